/** The text form of values depends on session settings, so backup and restore use the same ones. */
export const plainTexts = `
  SET LOCAL client_encoding TO 'UTF8';
  SET LOCAL datestyle TO 'ISO, YMD';
  SET LOCAL intervalstyle TO 'postgres';
  SET LOCAL timezone TO 'UTC';
  SET LOCAL bytea_output TO 'hex';
  SET LOCAL extra_float_digits TO 1`
