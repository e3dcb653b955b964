/** The outline of values as steps, each a unit wide; equal ones side by side are one step. */
export function stepsOf(values: ArrayLike<number>, most: number, height: number): string {
  let path = '';
  let last: number | undefined;
  for (let at = 0; at < values.length; at++) {
    const y = round(height - (values[at]! / most) * (height - 2) - 1);
    if (y === last) continue;
    path += last === undefined ? `M0 ${y}` : `H${at}V${y}`;
    last = y;
  }
  return last === undefined ? '' : `${path}H${values.length}`;
}

/** The same, filled down to zero. */
export function areaOf(values: ArrayLike<number>, most: number, height: number): string {
  const steps = stepsOf(values, most, height);
  return steps === '' ? '' : `${steps}V${height}H0Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
