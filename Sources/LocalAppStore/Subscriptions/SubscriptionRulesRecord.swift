import Foundation
import FoundationExtras
import GRDB
import PrivateFiles
import PurchaseModel

/// The format in which the database stores the rules of new subscriptions: JSON in the setting `subscriptionRules`.
struct SubscriptionRulesRecord: StoredRecord {
    static let currentVersion = 1

    let version: Int
    let rules: SubscriptionStateRecord.Rules

    init(_ rules: SubscriptionRules) {
        version = Self.currentVersion
        self.rules = SubscriptionStateRecord.Rules(rules)
    }

    func value() throws -> SubscriptionRules {
        try checkVersion()
        return try rules.rules()
    }
}

extension StoreSettings {
    /// Returns the stored rules of new subscriptions; nil if the rules of the catalog apply.
    static func rules(_ db: Database) throws -> SubscriptionRules? {
        // Each purchase reads the rules, so the statement is compiled once.
        let statement = try db.cachedStatement(sql: "SELECT value FROM settings WHERE name = ?")
        guard let text = try String.fetchOne(statement, arguments: [subscriptionRules.rawValue]) else { return nil }
        return try WireJSON.decode(SubscriptionRulesRecord.self, from: Data(text.utf8)).value()
    }

    /// Saves the rules of new subscriptions.
    static func set(_ rules: SubscriptionRules, _ db: Database) throws {
        try subscriptionRules.set(String(decoding: WireJSON.encode(SubscriptionRulesRecord(rules)), as: UTF8.self), db)
    }
}
