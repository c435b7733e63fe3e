/** The declared facts about the columns of a dataset. */
export const NUMBERS = ['integer', 'decimal'];
export const ORDERED = [...NUMBERS, 'date', 'timestamp'];
export const LISTED = ['category', 'boolean'];

export const of = (dataset, types) => dataset.columns.filter((column) => types.includes(column.type));
export const named = (dataset, name) => dataset.columns.find((column) => column.name === name);
export const first = (dataset, types) => of(dataset, types)[0]?.name;
export const categories = (column) => (column.type === 'boolean' ? ['false', 'true'] : column.categories ?? []);
export const isNumeric = ({ type }) => NUMBERS.includes(type);

/** The ends of a column as numbers, for a picture's axis. */
export const ends = (column) => (isNumeric(column)
  ? [Number(column.lower), Number(column.upper)]
  : [Date.parse(column.lower), Date.parse(column.upper)]);
