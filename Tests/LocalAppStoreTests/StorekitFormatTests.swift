import Foundation
import FoundationExtras
import Testing

@testable import LocalAppStore

/// Tests that `docs/storekit-format.md` describes the keys that the reader of `.storekit` files knows.
@Suite struct StorekitFormatTests {
    /// The keys of each kind of object.
    private static let tables = [
        StorekitKeys.file, StorekitKeys.version, StorekitKeys.keyPair, StorekitKeys.policies, StorekitKeys.policy, StorekitKeys.product,
        StorekitKeys.subscription, StorekitKeys.localization, StorekitKeys.group, StorekitKeys.billingPlan, StorekitKeys.introductoryOffer,
        StorekitKeys.seats, StorekitKeys.priceTier, StorekitKeys.promotionalOffer, StorekitKeys.codeOffer, StorekitKeys.winBackOffer,
        StorekitKeys.settings,
        StorekitKeys.simulatedError, StorekitKeys.simulatedErrorChoice,
    ]
    private static let known = Set(tables.flatMap(\.keys))
    /// The keys that the reader ignores.
    private static let ignored = StorekitKeys.ignored
    /// The keys of objects whose members are countries and system versions.
    private static let maps: Set = ["_compatibilityTimeRate", "_tillrollPrices"]

    private static func page() throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/storekit-format.md").standardizedFileURL
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the files that the page shows, in order.
    private static func examples() throws -> [Data] {
        try page().components(separatedBy: "```json\n").dropFirst().map { Data($0.components(separatedBy: "```")[0].utf8) }
    }

    private static func keys(of value: JSONValue) -> Set<String> {
        var found: Set<String> = []
        switch value {
        case .object(let members):
            for member in members {
                found.insert(member.name)
                if !maps.contains(member.name) { found.formUnion(keys(of: member.value)) }
            }
        case .array(let elements):
            for element in elements { found.formUnion(keys(of: element)) }
        default: break
        }
        return found
    }

    @Test func `each file of the page is read without a finding`() throws {
        let examples = try Self.examples()
        #expect(examples.count == 2)
        for example in examples { #expect(Catalog.findings(in: example) == []) }
    }

    @Test func `the last file of the page has every key`() throws {
        let last = try #require(try Self.examples().last)
        let file = try #require(JSONReader.read(Array(last)))
        #expect(Self.keys(of: file) == Self.known)
    }

    @Test func `the page names each key`() throws {
        let page = try Self.page()
        for key in Self.known.union(Self.ignored.keys) { #expect(page.contains("`\(key)`"), "\(key)") }
    }

    @Test func `the page states the first version of each key of its tables`() throws {
        let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count >= 50)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let key = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            let versions = Set((Self.tables + [Self.ignored]).compactMap { $0[key]?.description })
            #expect(cells.contains { versions.contains($0) }, "\(key)")
        }
    }
}
