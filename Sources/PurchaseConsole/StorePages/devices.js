// The section that lists the devices of the store, and restricts purchases on them.

import { h, put, heading, table, pagedList, badge, empty } from "./dom.js";
import { get, post } from "./api.js";
import { actionButton } from "./dialogs.js";
import { time, count } from "./format.js";
import { accountLink } from "./items.js";

export const title = "Devices";

export async function show(view) {
    const list = h("div", {});
    const columns = [
        { title: "Device", class: "id", cell: (each) => each.device },
        { title: "Accounts", class: "text", cell: (each) => each.accounts.map((account, index) => [index > 0 && ", ", accountLink(account)]) },
        { title: "Apps", class: "text", cell: (each) => each.bundleIDs.join(", ") },
        { title: "Purchases", cell: (each) => each.isRestricted ? badge("restricted", "bad") : badge("allowed", "good") },
        { title: "Last seen", class: "time", cell: (each) => time(each.lastSeen) || "not since the store started" },
        {
            title: "Actions", class: "do", cell: (each) => actionButton(each.isRestricted ? "Allow" : "Restrict", async () => {
                await post`devices/${each.device}`({ isRestricted: !each.isRestricted });
                await view.refresh();
            }, { "data-focus": each.device, "aria-label": `${each.isRestricted ? "Allow" : "Restrict"} purchases on ${each.device}` }),
        },
    ];
    view.refresh = async () => {
        const { devices } = await get`devices`;
        note.textContent = devices.length > 0 ? `${count(devices.length, "device")}. On a restricted device, apps can’t make payments.` : "";
        put(list, devices.length === 0 ? empty("No devices yet.", "A device appears when an account signs in on it.")
            : pagedList(devices, 100, (rows) => table("Devices", columns, rows)));
    };
    // Refresh after a purchase, which implies a sign-in on the device, because a sign-in creates no event.
    view.isInterested = (newEvents) => newEvents.some((event) => ["purchase", "account"].includes(event.kind));
    const note = h("p", { class: "note" });
    put(view.place, heading(title, note, actionButton("Refresh", () => view.refresh())), list);
    await view.refresh();
}
