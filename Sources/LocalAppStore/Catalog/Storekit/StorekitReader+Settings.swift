import Crypto
import Foundation
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
        settings.asksToBuy = object.bool("_askToBuyEnabled") ?? false
        settings.interruptsPurchases = object.bool("_billingIssuesEnabled") ?? false
        settings.failsRenewals = object.bool("_renewalBillingIssuesEnabled") ?? false
        settings.grantsGrace = object.bool("_billingGracePeriodEnabled")
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
        if !LocaleName(locale).isSensible {
            notes.warning(object.place("_locale"), "This names no language: write one such as en_US or ko.")
        }
        return locale
    }

    private func readTimeRate(_ object: StorekitObject) -> Int {
        let rate = object.integer("_timeRate") ?? 0
        guard !Self.timeRates.contains(rate) else { return rate }
        notes.warning(object.place("_timeRate"), "No time rate has this number, so time is real: write 0, or choose one in Xcode.")
        return 0
    }

    private func readCompatibilityTimeRates(_ object: StorekitObject) -> [String: Int] {
        guard case .object(let members)? = object.value("_compatibilityTimeRate") else {
            if object.value("_compatibilityTimeRate") != nil {
                notes.warning(object.place("_compatibilityTimeRate"), "This is no object such as { \"3\" : 6 }, and is ignored.")
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
            notes.warning(object.place("name"), "No function has this name: write one of Xcode's nine, such as Load Products.")
        }
        var error = CatalogSimulatedError(name: name, isEnabled: object.bool("enabled") ?? false)
        if let current = object.object("current", keys: StorekitKeys.simulatedErrorChoice) {
            error.current = CatalogSimulatedError.Choice(type: current.label("type"), index: current.integer("index") ?? 0)
            if !["generic", "purchase", "verification", "refundRequest"].contains(current.label("type")) {
                notes.warning(current.place("type"), "This is no error type: write generic, purchase or verification.")
            }
        } else if error.isEnabled {
            notes.warning(object.place("current"), "The failure is enabled, but none is chosen: choose one, or write false.")
        }
        return error
    }

    private func readAppAppleID(_ object: StorekitObject) -> Int64? {
        let text = object.label("_applicationInternalID")
        guard !text.isEmpty else { return nil }
        if let id = Int64(text), id >= 0 { return id == 0 ? nil : id }
        notes.warning(object.place("_applicationInternalID"), "An app's number in the App Store has digits only: this is ignored.")
        return nil
    }

    /// Reads a date as seconds since January 1, 2001, 00:00 UTC.
    private func readDate(_ object: StorekitObject) -> Timestamp? {
        guard let value = object.value("_lastSynchronizedDate") else { return nil }
        guard case .number(let digits) = value, let seconds = Double(digits), seconds.isFinite else {
            notes.warning(object.place("_lastSynchronizedDate"), "This is no number of seconds since 2001, and is ignored.")
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

    /// Reads the key for promotional offers; returns nil and adds a finding if the key cannot sign.
    func readKey(_ object: StorekitObject) -> CatalogOfferKey? {
        let key = CatalogOfferKey(id: object.label("id"), privateKey: object.label("privateKey"))
        guard !key.id.isEmpty else {
            notes.warning(object.place("id"), "The key has no identifier, so no offer can name it: write 8 digits.")
            return nil
        }
        guard let data = Data(base64Encoded: key.privateKey), (try? P256.Signing.PrivateKey(derRepresentation: data)) != nil else {
            notes.warning(object.place("privateKey"), "This is no P-256 key (PKCS #8 in base64), so no offer can be signed with it.")
            return nil
        }
        return key
    }
}
