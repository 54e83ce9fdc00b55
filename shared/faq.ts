/** A question and its answer, as pages show them. */
export type Question = {
  /** Unique among all questions, and the same as long as it is the same one. */
  id: string
  question: string
  /** Safe HTML. */
  answer: string
}

/** The fragment that leads to a question on the page that shows it. */
export const questionFragment = ({ id }: Pick<Question, 'id'>) => `question-${id}`
