-- What forgets old rows finds a small batch of them at a time, without reading the whole table.
CREATE INDEX client_activity_at ON client_activity (at);
CREATE INDEX folder_seen_day ON folder_seen (day);
CREATE INDEX folder_selections_expires ON folder_selections (expires_at);
CREATE INDEX stripe_events_received ON stripe_events (received_at);
CREATE INDEX subscriber_confirmations_at ON subscriber_confirmations (at);
CREATE INDEX subscribers_pending ON subscribers (since) WHERE status = 'pending';
CREATE INDEX withdrawals_loose ON withdrawals (received_at) WHERE "order" IS NULL;
CREATE INDEX orders_over ON orders (changed_at) WHERE state IN ('expired', 'cancelled');
