// The seats of a subscription: members, claims, and the actions that change them.

import { h, button } from "./dom.js";
import { post, remove } from "./api.js";
import { ask, actionButton } from "./dialogs.js";
import { accountLink } from "./items.js";
import { time } from "./format.js";

/** Returns the fact about the seats of a subscription, such as `5, 3 available, 4 at the renewal`. */
export function seatFact(seats) {
    if (!seats) return "";
    return [`${seats.total}, ${seats.available} available`, seats.atRenewal !== seats.total && `, ${seats.atRenewal} at the renewal`];
}

/** Returns the list of a group's members or claims, each with the button that takes the seat away. */
export function seatList(seats) {
    if (!seats) return undefined;
    const id = seats.originalTransactionID;
    const rows = [
        ...seats.members.map((each) => h("li", {}, accountLink(each.account),
            actionButton("Remove", () => remove`subscriptions/${id}/seats/members/${each.account}`,
                { class: "plain", "data-focus": `${id} remove ${each.account}`, "aria-label": `Remove ${each.account} from the group` }))),
        ...seats.claims.map((each) => h("li", {}, h("span", { class: "id", title: each.seatClaimID }, each.appTransactionID ?? each.seatClaimID),
            h("span", { class: "quiet" }, time(each.claimedAt)),
            actionButton("Release", () => post`subscriptions/${id}/seats/release`({ seatClaimIDs: [each.seatClaimID] }),
                { class: "plain", "data-focus": `${id} release ${each.seatClaimID}`, "aria-label": `Release the claim ${each.seatClaimID}` }))),
    ];
    if (rows.length === 0) return undefined;
    return h("ul", { class: "seats", "aria-label": seats.members.length > 0 ? "Members" : "Claims of the developer’s server" }, rows);
}

/** Returns the buttons that change the seats of a subscription. */
export function seatActions(seats, { account, bundleID, productID }) {
    if (!seats) return [];
    const id = seats.originalTransactionID;
    return [
        button("Add seats…", () => ask("Add seats", "Buy", [
            { name: "total", label: "Seats after the purchase", type: "number", min: seats.total + 1, required: true, value: seats.total + 1 },
        ], async ({ total }) => {
            const reply = await post`purchases`({ account, productID, bundleID, seats: total });
            if (reply.refused) throw new Error(`${reply.refused.message} (code ${reply.refused.code})`);
        }), { "data-focus": `${id} add seats` }),
        seats.total > 1 && button("Seats at the renewal…", () => ask("Seats at the renewal", "Change", [
            { name: "total", label: "Seats", type: "number", min: 1, max: seats.total, required: true, value: seats.atRenewal },
        ], ({ total }) => post`subscriptions/${id}`({ action: "set-renewal-seats", seats: total })), { "data-focus": `${id} renewal seats` }),
        seats.invitationManagement === "APPLE" && button("Add a member…", () => ask("Add a member", "Add", [
            { name: "member", label: "Account", required: true, hint: "The store creates the account if it does not exist." },
        ], ({ member }) => post`subscriptions/${id}/seats/members`({ account: member }),
        "The account gets a separate transaction, as from an invitation of the App Store."), { "data-focus": `${id} member` }),
    ];
}
