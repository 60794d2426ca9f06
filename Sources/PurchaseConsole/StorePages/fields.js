// Functions that all forms for a .storekit file share.

export const periods = [["P1W", "1 week"], ["P1M", "1 month"], ["P2M", "2 months"], ["P3M", "3 months"], ["P6M", "6 months"], ["P1Y", "1 year"]];

/** Returns the options of a selection, with an additional option for any other value of the file. */
export const including = (options, value) => value === undefined || options.some(([each]) => each === value) ? options : [...options, [value, value]];

/** Returns an error that belongs to a field of the form. */
export function problem(name, message) {
    return Object.assign(new Error(message), { field: name });
}

/** Returns the content of a .storekit file that was chosen in a form; undefined without a file. */
export function parsedCatalog(text) {
    if (!text) return undefined;
    try { return JSON.parse(text); } catch { throw new Error("The file is not valid JSON. Choose a .storekit file."); }
}

/** Returns a new internal identifier, such as Xcode's: eight hexadecimal digits. */
export const internalID = () => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
