import Foundation
import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    /// The promises about customers, their tokens, API keys and granted entitlements.
    static let customerChecks: [Check] = [
        Check(description: "a customer is found by identifier, alias and token, and a merged customer by its successor") { storage, _ in
            let (jane, anonymous): (CustomerID, CustomerID) = ("jane", "anonymous")
            let merged = CustomerRecord(id: anonymous, createdAt: date(1), mergedInto: jane)
            let token = Data([1, 2, 3])
            try await storage.write(app) { records in
                try records.put(CustomerRecord(id: jane, createdAt: date(2)))
                try records.put(CustomerRecord(id: anonymous, createdAt: date(1)))
                try records.put(merged)
                for alias in ["b", "a", "c"] { try records.setAlias(alias, of: jane) }
                try records.setAlias("c", of: nil)
                try records.insertToken(token, of: anonymous, createdAt: date(1), limit: 10)
                try records.moveTokens(of: anonymous, to: jane)
            }
            let found = try await storage.read(app) { records in
                (
                    try records.customer(jane), try records.customer(anonymous), try records.customersMerged(into: jane),
                    try records.customer(alias: "a"), try records.customer(alias: "c"), try records.aliases(of: jane),
                    try records.customer(tokenDigest: token)
                )
            }
            try expect(found.0, equals: CustomerRecord(id: jane, createdAt: date(2)), "a customer")
            try expect(found.1, equals: merged, "a replaced customer")
            try expect(found.2, equals: [anonymous], "the merged customers")
            try expect(found.3, equals: jane, "the customer of an alias")
            try expect(found.4, equals: nil, "the customer of a removed alias")
            try expect(found.5, equals: ["a", "b"], "the aliases in their order")
            try expect(found.6, equals: jane, "the customer of a moved token")
            let other = try await storage.read("com.example.other") { records in
                (try records.customer(jane), try records.customer(alias: "a"), try records.customer(tokenDigest: token))
            }
            try expect(other.0 == nil && other.1 == nil && other.2 == nil, equals: true, "the isolation of another app")
        },
        Check(description: "aliases compare by their bytes, not by canonical equivalence") { storage, _ in
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            try await storage.write(app) { records in
                try records.setAlias(composed, of: "jane")
                try records.setAlias(decomposed, of: "joe")
            }
            let found = try await storage.read(app) { records in
                (try records.customer(alias: composed), try records.customer(alias: decomposed))
            }
            try expect(found.0, equals: "jane", "the customer of the composed alias")
            try expect(found.1, equals: "joe", "the customer of the decomposed alias")
        },
        Check(description: "a customer keeps the newest tokens, and none after they are deleted") { storage, _ in
            let customer: CustomerID = "jane"
            try await storage.write(app) { records in
                for number in UInt8(1)...5 {
                    try records.insertToken(Data([number]), of: customer, createdAt: date(Int64(number)), limit: 3)
                }
                try records.insertToken(Data([9]), of: "joe", createdAt: date(0), limit: 3)
            }
            func tokens() async throws -> [UInt8] {
                try await storage.read(app) { records in
                    try [UInt8](1...5).filter { try records.customer(tokenDigest: Data([$0])) == customer }
                }
            }
            try expect(try await tokens(), equals: [3, 4, 5], "the newest tokens")
            try await storage.write(app) { try $0.moveTokens(of: customer, to: nil) }
            try expect(try await tokens(), equals: [], "the tokens after the deletion")
            let joe = try await storage.read(app) { try $0.customer(tokenDigest: Data([9])) }
            try expect(joe, equals: "joe", "the customer of another token")
        },
        Check(description: "one token of a customer moves, if the customer has it") { storage, _ in
            try await storage.write(app) { records in
                for number in UInt8(1)...3 {
                    try records.insertToken(Data([number]), of: number == 3 ? "joe" : "jane", createdAt: date(1), limit: 3)
                }
                try records.moveToken(Data([1]), of: "jane", to: "jack")
                try records.moveToken(Data([3]), of: "jane", to: "jack")
            }
            for (customer, token) in [("jack", UInt8(1)), ("jane", 2), ("joe", 3)] {
                let tokens = try await storage.read(app) { try $0.tokens(of: CustomerID(customer)) }
                try expect(tokens, equals: [Data([token])], "the tokens of \(customer)")
            }
        },
        Check(description: "merges are listed by their dates, replaced and deleted") { storage, _ in
            var first = CustomerMergeRecord(of: "first", into: "jane", date: date(1))
            let second = CustomerMergeRecord(of: "second", into: "jane", date: date(2))
            let other = CustomerMergeRecord(of: "first", into: "joe", date: date(3))
            first.tokens = [Data([1])]
            try await storage.write(app) { [first] records in for merge in [first, second, other] { try records.put(merge) } }
            first.undoneAt = date(4)
            first.tokens = []
            try await storage.write(app) { [first] in try $0.put(first) }
            let found = try await storage.read(app) { records in
                (
                    try records.merge(of: "first", into: "jane"), try records.merge(of: "third", into: "jane"),
                    try records.merges(into: "jane", limit: 10), try records.merges(into: "jane", limit: 1)
                )
            }
            try expect(found.0, equals: first, "a replaced merge")
            try expect(found.1, equals: nil, "a merge that did not take place")
            try expect(found.2, equals: [second, first], "the merges, newest first")
            try expect(found.3, equals: [second], "the newest merge")
            func rest() async throws -> [[CustomerMergeRecord]] {
                try await storage.read(app) { records in try ["jane", "joe"].map { try records.merges(into: $0, limit: 10) } }
            }
            try await storage.write(app) { try $0.deleteMerges(of: "jane") }
            try expect(try await rest(), equals: [[], [other]], "the merges after the deletion of a customer")
            try await storage.write(app) { try $0.deleteMerges(of: "first") }
            try expect(try await rest(), equals: [[], []], "the merges after the deletion of a customer who was merged")
        },
        Check(description: "an API key is found by its digest, in its app only") { storage, _ in
            var key = APIKeyRecord(
                id: "key_1", digest: Data([1]), kind: .secret, scopes: [.debit, .grant], name: "backend", createdAt: date(1))
            let second = APIKeyRecord(id: "key_2", digest: Data([2]), kind: .publishable, scopes: [], name: "", createdAt: date(2))
            try await storage.write(app) { [key] records in
                try records.put(second)
                try records.put(key)
            }
            key.revokedAt = date(3)
            try await storage.write(app) { [key] in try $0.put(key) }
            let found = try await storage.read(app) {
                (try $0.apiKey(digest: Data([1])), try $0.apiKey(digest: Data([3])), try $0.apiKeys())
            }
            try expect(found.0, equals: key, "the key")
            try expect(found.1, equals: nil, "an unknown key")
            try expect(found.2, equals: [key, second], "all keys, oldest first")
            let other = try await storage.read("com.example.other") { try $0.apiKey(digest: Data([1])) }
            try expect(other, equals: nil, "a key of another app")
        },
        Check(description: "the products of the files are replaced as a whole") { storage, _ in
            let (first, second) = (ServerProduct(id: "b", credits: 5), ServerProduct(id: "a", entitlements: ["premium"]))
            for products in [[first, second], [ServerProduct(id: "b", credits: 6)], []] {
                try await storage.write(app) { try $0.setFileProducts(products) }
                let found = try await storage.read(app) { try $0.fileProducts() }
                try expect(found, equals: products.sorted { $0.id < $1.id }, "the products of the files")
            }
        },
        Check(description: "the products of the catalog are replaced and removed, and each change increases the revision") { storage, _ in
            let (first, second) = (ServerProduct(id: "a", credits: 5), ServerProduct(id: "b", entitlements: ["premium"]))
            func read(_ app: BundleID = app) async throws -> ([ServerProduct], Int64) {
                try await storage.read(app) { (try $0.products(), try $0.catalogRevision()) }
            }
            var revisions = [try await read().1]
            for change in [[first], [second], [ServerProduct(id: "a", credits: 6)]] {
                try await storage.write(app) { records in for product in change { try records.put(product) } }
                revisions.append(try await read().1)
            }
            try expect(try await read().0, equals: [ServerProduct(id: "a", credits: 6), second], "the products")
            let removed = try await storage.write(app) { [try $0.removeProduct("a"), try $0.removeProduct("a")] }
            try expect(removed, equals: [true, false], "whether a product was removed")
            revisions.append(try await read().1)
            try expect(revisions, equals: Array(Set(revisions)).sorted(), "the revisions")
            try expect(try await read().0, equals: [second], "the products after the removal")
            try expect(try await read("com.example.other").0, equals: [], "the products of another app")
        },
        Check(description: "granted entitlements are replaced, moved and deleted") { storage, _ in
            var grant = EntitlementGrant(customer: "jane", entitlement: "premium", grantedAt: date(2), until: date(9), reason: "test")
            let first = EntitlementGrant(customer: "jane", entitlement: "beta", grantedAt: date(1), until: nil, reason: "")
            try await storage.write(app) { [grant] records in
                try records.put(grant)
                try records.put(first)
            }
            grant.revokedAt = date(3)
            try await storage.write(app) { [grant] in try $0.put(grant) }
            let grants = try await storage.read(app) { try $0.grants(of: "jane") }
            try expect(grants, equals: [first, grant], "the grants, oldest first")
            try await storage.write(app) { try $0.moveGrants(of: "jane", to: "joe") }
            let moved = try await storage.read(app) { (try $0.grants(of: "jane"), try $0.grants(of: "joe").map(\.entitlement)) }
            try expect(moved.0, equals: [], "the grants of the first customer")
            try expect(moved.1, equals: ["beta", "premium"], "the grants of the second customer")
            try await storage.write(app) { try $0.moveGrants(of: "joe", to: nil) }
            let deleted = try await storage.read(app) { try $0.grants(of: "joe") }
            try expect(deleted, equals: [], "the deleted grants")
        },
    ]

    private static func date(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }
}
