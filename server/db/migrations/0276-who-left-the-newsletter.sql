-- Of those who left the newsletter the address is kept, so that it isn't added again, and nothing else.
UPDATE subscribers SET name = '' WHERE status = 'unsubscribed';
