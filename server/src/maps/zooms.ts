/** Beyond it, browsers enlarge the last tile: the coast of 1:50 million shows no more. */
export const worldMaxZoom = 6;
/** Half a metre. */
export const townMaxZoom = 14;
export const townMinZoom = 5;
export const extractMinZoom = 6;
export const extractMaxZoom = 14;
