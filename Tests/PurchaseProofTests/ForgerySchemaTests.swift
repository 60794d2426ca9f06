import Foundation
import PurchaseTestSupport
import Testing

/// Tests of the corpus manifest against the JSON schema.
@Suite struct ForgerySchemaTests {
    private static func json(_ file: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(ForgeryCorpus().bytes(file)))
    }

    @Test func `the manifest conforms to the schema`() throws {
        let schema = try JSONSchema(Self.json("manifest.schema.json"))
        #expect(schema.violations(in: try Self.json("manifest.json")) == [])
    }

    @Test(arguments: [
        ([String](), "format", 1 as any Sendable, ["/format: must be 2"]),
        ([], "further", true, ["/further: unknown property"]),
        (["verify"], "environments", [String](), ["/cases/0/verify/environments: too short"]),
        (["verify"], "time", "2025-01-31", ["/cases/0/verify/time: does not match the pattern"]),
    ])
    func `a violation of the schema is reported with its place`(
        _ path: [String], _ member: String, _ value: any Sendable, _ violations: [String]
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
        #expect(schema.violations(in: manifest) == violations)
    }

    @Test func `a case has a reason and a place unless it is verified`() throws {
        for item in try ForgeryCorpus().manifest.cases {
            #expect((item.reason == nil) == (item.result == .verified), "\(item.id)")
            #expect((item.place == nil) == (item.result == .verified), "\(item.id)")
            #expect((item.payload == nil) == (item.kind != .jws), "\(item.id)")
            #expect(item.id.hasPrefix("\(item.kind.rawValue)-"), "\(item.id)")
        }
    }

    @Test func `every root that a case names is in the manifest`() throws {
        let manifest = try ForgeryCorpus().manifest
        for item in manifest.cases {
            for name in item.verify.roots { #expect(manifest.roots[name]?.environments.isEmpty == false, "\(item.id)") }
        }
    }
}
