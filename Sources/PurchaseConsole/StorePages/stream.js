// The store's clock and event stream, which all sections share.

import { get, streamAddress, optional, identity } from "./api.js";
import { kinds } from "./format.js";

let reading = { now: 0, factor: 0, timeRate: 0, at: 0 };

/** Returns the store's time in milliseconds since 1970, computed from the last reading of the clock and its speed. */
export function now() {
    return reading.now + (performance.now() - reading.at) * reading.factor;
}

export const clock = () => reading;

export function setClock(reply) {
    reading = { ...reply, at: performance.now() };
}

export async function readClock() {
    setClock(await get`clock`);
}

const memory = 2_000;
/** The loaded events, newest first: at most `memory` events of the stream, and the pages that `earlier` has loaded. */
export const events = [];
let oldest;
let watchers = new Set();

/** Returns whether the store may have events that are older than the loaded events. */
export const hasEarlier = () => oldest === undefined || oldest > 1;

/** Loads at most `limit` events that are older than the loaded events, and returns them, newest first. */
export async function earlier(limit = 200) {
    const before = oldest ?? Number.MAX_SAFE_INTEGER;
    const found = (await get`events?before=${before}&limit=${limit}`).events.reverse();
    events.push(...found);
    oldest = found.length < limit ? 1 : found.at(-1).id;
    return found;
}

/** Calls `callback` with batches of new events, newest first; returns a function that stops the calls. */
export function watch(callback) {
    watchers.add(callback);
    return () => watchers.delete(callback);
}

let queued = [];
function notifyWatchers() {
    const newEvents = queued.reverse();
    queued = [];
    for (const watcher of [...watchers]) watcher(newEvents);
}

/**
 * Follows the event stream, and resumes after the last event when a lost connection is restored.
 *
 * `known` is the store's issuer ID. If the store has another issuer ID after a reconnection, as a restarted store in memory has, the page
 * reloads. `onstate(isThere, sentence)` is called when the connection is lost and when it is restored.
 */
export function follow(known, onstate) {
    listen(async () => {
        if (await identity() !== known) location.reload();
        else onstate(true);
    }, onstate);
}

const pause = 2_000;

function listen(onopen, onstate) {
    const source = new EventSource(streamAddress(events[0]?.id ?? 0));
    const receive = (message) => {
        const event = JSON.parse(message.data);
        if (events[0] && event.id <= events[0].id) return;
        events.unshift(event);
        if (events.length > memory) {
            events.length = memory;
            oldest = events.at(-1).id;
        }
        if (queued.push(event) === 1) setTimeout(notifyWatchers, 60);
    };
    for (const kind of Object.keys(kinds)) source.addEventListener(kind, receive);
    source.onopen = () => onopen().catch((error) => {
        onstate(false, error.message);
        if (source.readyState === EventSource.OPEN) setTimeout(source.onopen, pause);
    });
    source.onerror = async () => {
        onstate(false, "Connection lost; reconnecting. The page may show outdated data.");
        // A browser reconnects automatically, except after a response that is not an event stream.
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(() => listen(onopen, onstate), pause);
        await get`clock`.catch((error) => { if (error.status !== 0) onstate(false, error.message); });
    };
}

/** Returns the newest 1000 events of an account, newest first. */
export async function eventsOf(account) {
    const found = await optional(get`events?before=${Number.MAX_SAFE_INTEGER}&account=${account}&limit=1000`);
    return (found?.events ?? []).reverse();
}
