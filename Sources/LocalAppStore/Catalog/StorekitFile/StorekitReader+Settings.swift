import Crypto
import Foundation
import FoundationExtras
import PurchaseModel

extension StorekitReader {
    /// The raw values of `SKTestSession.TimeRate`.
    private static let timeRates: Set<Int> = [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 15, 1000, 1001, 1002, 1003, 1004, 1005]

    func readSettings(_ object: StorekitObject) -> CatalogSettings {
        var settings = CatalogSettings()
        settings.locale = readLocale(object)
        settings.storefront = object.string("_storefront") ?? settings.storefront
        settings.timeRate = readTimeRate(object)
        settings.compatibilityTimeRates = readCompatibilityTimeRates(object)
        settings.askToBuyEnabled = object.bool("_askToBuyEnabled") ?? false
        settings.interruptedPurchasesEnabled = object.bool("_billingIssuesEnabled") ?? false
        settings.failsRenewals = object.bool("_renewalBillingIssuesEnabled") ?? false
        settings.billingGracePeriodIsEnabled = object.bool("_billingGracePeriodEnabled")
        settings.disablesDialogs = object.bool("_disableDialogs") ?? false
        settings.failsTransactions = object.bool("_failTransactionsEnabled") ?? false
        settings.errors = object.objects("_storeKitErrors", keys: StorekitKeys.simulatedError).map(readError)
        settings.appAppleID = readAppAppleID(object)
        let team = object.label("_developerTeamID")
        settings.teamID = team.isEmpty ? nil : team
        settings.lastSynchronized = readDate(object)
        return settings
    }

    private func readLocale(_ object: StorekitObject) -> String? {
        guard let locale = object.string("_locale"), !locale.isEmpty else { return nil }
        if !LocaleName(locale).isValid {
            diagnostics.warning(object.memberPath("_locale"), "The value is not a locale: use a locale such as en_US or ko.")
        }
        return locale
    }

    private func readTimeRate(_ object: StorekitObject) -> Int {
        let rate = object.integer("_timeRate") ?? 0
        guard !Self.timeRates.contains(rate) else { return rate }
        diagnostics.warning(
            object.memberPath("_timeRate"),
            "The time rate does not exist, and real time is used: use 0, or select a time rate in Xcode.")
        return 0
    }

    private func readCompatibilityTimeRates(_ object: StorekitObject) -> [String: Int] {
        guard case .object(let members)? = object.value("_compatibilityTimeRate") else {
            if object.value("_compatibilityTimeRate") != nil {
                diagnostics.warning(
                    object.memberPath("_compatibilityTimeRate"),
                    "The time rates by system version are ignored: use an object such as { \"3\" : 6 }.")
            }
            return [:]
        }
        return Dictionary(
            members.compactMap { member in StorekitObject.integer(member.value).map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private func readError(_ object: StorekitObject) -> CatalogSimulatedError {
        let name = object.label("name")
        if !CatalogSimulatedError.names.contains(name) {
            diagnostics.warning(
                object.memberPath("name"),
                "The simulated error's function is unknown: use one of Xcode's nine names, such as Load Products.")
        }
        var error = CatalogSimulatedError(name: name, isEnabled: object.bool("enabled") ?? false)
        if let current = object.object("current", keys: StorekitKeys.simulatedErrorChoice) {
            error.current = CatalogSimulatedError.Choice(type: current.label("type"), index: current.integer("index") ?? 0)
            if !["generic", "purchase", "verification", "refundRequest"].contains(current.label("type")) {
                diagnostics.warning(current.memberPath("type"), "The error type is unknown: use generic, purchase or verification.")
            }
        } else if error.isEnabled {
            diagnostics.warning(
                object.memberPath("current"), "The simulated failure is enabled without an error: select an error, or set enabled to false."
            )
        }
        return error
    }

    private func readAppAppleID(_ object: StorekitObject) -> Int64? {
        let text = object.label("_applicationInternalID")
        guard !text.isEmpty else { return nil }
        if let id = Int64(text), id >= 0 { return id == 0 ? nil : id }
        diagnostics.warning(
            object.memberPath("_applicationInternalID"),
            "The appAppleId is not a number and is ignored: use the number from App Store Connect.")
        return nil
    }

    /// Reads the date of the last synchronization, a number of seconds since January 1, 2001, 00:00 UTC; nil if there is no valid date.
    private func readDate(_ object: StorekitObject) -> Timestamp? {
        guard let value = object.value("_lastSynchronizedDate") else { return nil }
        guard case .number(let digits) = value, let seconds = Double(digits), seconds.isFinite else {
            diagnostics.warning(
                object.memberPath("_lastSynchronizedDate"), "The date is ignored: use a number of seconds since January 1, 2001.")
            return nil
        }
        return Timestamp(Date(timeIntervalSinceReferenceDate: seconds))
    }

    func readPolicies(_ object: StorekitObject) -> CatalogPolicies {
        CatalogPolicies(
            eula: object.label("eula"),
            policies: object.objects("policies", keys: StorekitKeys.policy).map {
                CatalogPolicies.Policy(locale: $0.label("locale"), text: $0.label("policyText"), url: $0.label("policyURL"))
            }
        )
    }

    /// Reads the key that signs promotional offers; returns nil and adds a warning if the key is unusable.
    func readKey(_ object: StorekitObject) -> CatalogOfferKey? {
        let key = CatalogOfferKey(id: object.label("id"), privateKey: object.label("privateKey"))
        guard !key.id.isEmpty else {
            diagnostics.warning(object.memberPath("id"), "The offer key has no identifier and is ignored: use 8 digits.")
            return nil
        }
        guard let data = Data(base64Encoded: key.privateKey), (try? P256.Signing.PrivateKey(derRepresentation: data)) != nil else {
            diagnostics.warning(
                object.memberPath("privateKey"),
                "The offer key is not a P-256 private key (PKCS #8 in base64) and is ignored: use a valid key.")
            return nil
        }
        return key
    }
}
