import Foundation
import PurchaseTestSupport
import Testing

/// The format of the corpus, as it is written down for machines.
@Suite struct ForgerySchemaTests {
    private static func json(_ file: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(ForgeryCorpus().bytes(file)))
    }

    @Test func `the manifest is what its schema says`() throws {
        let schema = try JSONSchema(Self.json("manifest.schema.json"))
        #expect(schema.faults(in: try Self.json("manifest.json")) == [])
    }

    @Test(arguments: [
        ([String](), "format", 1 as any Sendable, ["/format: it is not 2"]),
        ([], "further", true, ["/further: nobody knows it"]),
        (["verify"], "environments", [String](), ["/cases/0/verify/environments: it is too short"]),
        (["verify"], "time", "2025-01-31", ["/cases/0/verify/time: it does not match the pattern"]),
    ])
    func `a manifest that is not is found out`(
        _ path: [String], _ member: String, _ value: any Sendable, _ faults: [String]
    ) throws {
        let schema = try JSONSchema(Self.json("manifest.schema.json"))
        var manifest = try #require(Self.json("manifest.json") as? [String: Any])
        if path.isEmpty {
            manifest[member] = value
        } else {
            var cases = try #require(manifest["cases"] as? [[String: Any]])
            var verify = try #require(cases[0]["verify"] as? [String: Any])
            verify[member] = value
            cases[0]["verify"] = verify
            manifest["cases"] = cases
        }
        #expect(schema.faults(in: manifest) == faults)
    }

    @Test func `reasons and places are there where something is not verified`() throws {
        for item in try ForgeryCorpus().manifest.cases {
            #expect((item.reason == nil) == (item.result == .verified), "\(item.id)")
            #expect((item.place == nil) == (item.result == .verified), "\(item.id)")
            #expect((item.payload == nil) == (item.kind != .jws), "\(item.id)")
            #expect(item.id.hasPrefix("\(item.kind.rawValue)-"), "\(item.id)")
        }
    }

    @Test func `every root that a case wants is there`() throws {
        let manifest = try ForgeryCorpus().manifest
        for item in manifest.cases {
            for name in item.verify.roots { #expect(manifest.roots[name]?.environments.isEmpty == false, "\(item.id)") }
        }
    }
}
