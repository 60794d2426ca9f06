import Foundation
import FoundationExtras
import PurchaseModel

/// A change of the test settings in the JSON of a `.storekit` file; unchanged settings and unknown keys stay as they are.
enum StorekitSettingsEdit {
    static func write(_ new: CatalogSettings, _ old: CatalogSettings, to json: inout JSONValue) {
        json.set("_locale", to: new.locale, unless: old.locale) { $0.map { .string($0) } }
        json.set("_storefront", to: new.storefront, unless: old.storefront) { .string($0) }
        json.set("_timeRate", to: new.timeRate, unless: old.timeRate) { .number($0) }
        json.set("_compatibilityTimeRate", to: new.compatibilityTimeRates, unless: old.compatibilityTimeRates) { rates in
            rates.isEmpty ? nil : .object(rates.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .number($0.value)) })
        }
        json.set("_askToBuyEnabled", to: new.askToBuyEnabled, unless: old.askToBuyEnabled) { .bool($0) }
        json.set("_billingIssuesEnabled", to: new.interruptedPurchasesEnabled, unless: old.interruptedPurchasesEnabled) { .bool($0) }
        json.set("_renewalBillingIssuesEnabled", to: new.failsRenewals, unless: old.failsRenewals) { .bool($0) }
        json.set("_billingGracePeriodEnabled", to: new.billingGracePeriodIsEnabled, unless: old.billingGracePeriodIsEnabled) {
            $0.map { .bool($0) }
        }
        json.set("_disableDialogs", to: new.disablesDialogs, unless: old.disablesDialogs) { .bool($0) }
        json.set("_failTransactionsEnabled", to: new.failsTransactions, unless: old.failsTransactions) { .bool($0) }
        let oldErrors = json["_storeKitErrors"]?.elements ?? []
        json.set("_storeKitErrors", to: new.errors, unless: old.errors) { errors in
            .array(errors.map { error($0, over: oldErrors) })
        }
        json.set("_applicationInternalID", to: new.appAppleID, unless: old.appAppleID) { $0.map { .string("\($0)") } }
        json.set("_developerTeamID", to: new.teamID, unless: old.teamID) { $0.map { .string($0) } }
        json.set("_lastSynchronizedDate", to: new.lastSynchronized, unless: old.lastSynchronized) { date in
            date.map { .number("\($0.date.timeIntervalSinceReferenceDate)") }
        }
    }

    private static func error(_ error: CatalogSimulatedError, over old: [JSONValue]) -> JSONValue {
        var json = old.first { $0.hasValue("name", error.name) } ?? .object([])
        json.set("name", to: .string(error.name))
        json.set("enabled", to: .bool(error.isEnabled))
        guard let current = error.current else {
            json.set("current", to: .null)
            return json
        }
        var choice = json["current"] ?? .object([])
        choice.set("type", to: .string(current.type))
        choice.set("index", to: .number(current.index))
        json.set("current", to: choice)
        return json
    }
}
