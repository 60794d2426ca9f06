// The address of a transaction: the page of its account, with the dialog of the transaction.

import { put, heading } from "./dom.js";
import { get, optional } from "./api.js";
import { missing } from "./items.js";
import { showAccount } from "./account.js";
import { showTransaction } from "./transaction.js";

export const title = "Transaction";

export async function show(view) {
    const [id = ""] = view.parameters;
    const known = id === "" ? undefined : await optional(get`transactions/${id}`);
    if (!known) return put(view.place, heading("No such transaction"), missing(`The store has no transaction ${id}.`, "accounts", "the accounts"));
    await showAccount(view, known.account);
    view.drawn = () => showTransaction(known.account, known.summary, known.signedTransaction);
}
