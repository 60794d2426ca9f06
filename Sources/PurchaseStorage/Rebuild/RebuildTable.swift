/// A table whose rows the server computes from the signed events of purchases.
package struct RebuildTable: Sendable {
    /// A column, with the type of its values.
    package struct Column: Hashable, Sendable {
        /// The type of the column's values.
        package enum Kind: Hashable, Sendable {
            case text, integer, boolean, bytes
            /// A `SignedEvent` as JSON, compared by its decoded value.
            case event
        }

        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    package let name: String
    /// The columns of the primary key after `app` and `original_transaction_id`.
    package let key: [Column]
    /// The columns that a rebuild compares and repairs.
    package let columns: [Column]

    /// The tables with the newest versions of transactions and renewal info, and with the starts of periods.
    package static let versions = [
        RebuildTable(
            name: "transaction_version", key: [Column("transaction_id", .text)],
            columns: [
                Column("purchase_date", .integer), Column("paid_until", .integer), Column("app_account_token", .text),
                Column("period", .text), Column("signed_date", .integer), Column("source", .text), Column("charge", .text),
                Column("is_revoked", .boolean), Column("was_revoked", .boolean), Column("revoked_percentage", .integer),
                Column("digest", .bytes), Column("event", .event),
            ]),
        RebuildTable(name: "renewal_version", key: [], columns: [Column("digest", .bytes), Column("event", .event)]),
        RebuildTable(name: "purchase_period", key: [Column("period", .text)], columns: [Column("start", .integer)]),
    ]

    /// The columns of signed events that are copies of the signed data.
    package static let events = RebuildTable(
        name: "signed_event", key: [Column("digest", .bytes)], columns: [Column("signed_date", .integer), Column("event", .event)])
}

extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
}
