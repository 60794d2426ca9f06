import Foundation
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of the dependencies between the services of a store.
@Suite struct ServiceGraphTests {
    /// The types that are no services by their names, and that services use as such.
    private static let others: Set<String> = ["StoreContext", "StoreServices", "NotificationSender", "OfferSignatureVerifier"]

    @Test func `no service uses itself through other services`() throws {
        let graph = TypeGraph(ofSwiftCode: try Self.sources())
        let services = graph.edges.keys.filter { $0.hasSuffix("Service") || Self.others.contains($0) }.sorted()
        #expect(services.count > 30)
        for service in services {
            let cycle = graph.cycle(through: service)
            #expect(cycle == nil, "\(cycle?.joined(separator: " → ") ?? "")")
        }
        #expect(graph.edges["DueWork"]?.isSuperset(of: ["RefundService", "SubscriptionService"]) == true)
        #expect(graph.edges["StoreServices"]?.isSuperset(of: services.filter { $0 != "StoreServices" }) == true)
    }

    @Test func `no service stores a closure, which could call any other service`() async throws {
        try await StoreHarness.run { harness in
            for service in Mirror(reflecting: harness.store.storeServices).children where !(service.value is NotificationSender) {
                for property in Mirror(reflecting: service.value).children {
                    #expect(!"\(type(of: property.value))".contains("->"), "\(service.label ?? "").\(property.label ?? "")")
                }
            }
        }
    }

    @Test func `a cycle is found, and a shared dependency is none`() {
        let shared = TypeGraph(edges: ["A": ["B", "C"], "B": ["D"], "C": ["D"], "D": []])
        #expect(["A", "B", "C", "D"].allSatisfy { shared.cycle(through: $0) == nil })
        let cyclic = TypeGraph(edges: ["A": ["B"], "B": ["C"], "C": ["D", "B"], "D": []])
        #expect(cyclic.cycle(through: "A") == nil)
        #expect(cyclic.cycle(through: "B") == ["B", "C", "B"])
        #expect(TypeGraph(edges: ["A": ["A"]]).cycle(through: "A") == ["A", "A"])
    }

    @Test func `a service that a property, a computed property, a protocol or an extension leads back to is a cycle`() {
        let constructor = "struct AService: Sendable {\n    let b: BService\n}\nstruct BService: Sendable {\n    let a: AService\n}\n"
        let locator = """
            struct AService {
                let context: Context
                // A comment about BService, and ``BService``.
                static let limit = BService.limit
            }
            final class Context {
            }
            extension Context {
                var a: AService { AService(context: self) }
            }
            struct BService {
                let context: Context
            }
            """
        let existential = """
            protocol Work {
            }
            struct AService: Work {
                let list: [any Work]
            }
            """
        #expect(TypeGraph(ofSwiftCode: [constructor]).cycle(through: "AService") == ["AService", "BService", "AService"])
        #expect(TypeGraph(ofSwiftCode: [locator]).cycle(through: "AService") == ["AService", "Context", "AService"])
        #expect(TypeGraph(ofSwiftCode: [locator]).cycle(through: "BService") == nil)
        #expect(TypeGraph(ofSwiftCode: [existential]).cycle(through: "AService") == ["AService", "Work", "AService"])
    }

    private static func sources() throws -> [String] {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/LocalAppStore").standardizedFileURL
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
}

/// The types of a module, with the types that each uses.
private struct TypeGraph {
    var edges: [String: Set<String>]

    init(edges: [String: Set<String>]) {
        self.edges = edges
    }

    /// Reads the declarations of types and extensions that begin at the start of a line and end with a brace at the start of a line.
    ///
    /// A type uses the types that its declarations name, except to access a static member, such as a limit. A protocol uses the types that
    /// conform to it, because a call of the protocol's requirement is a call of one of them.
    init(ofSwiftCode files: [String]) {
        edges = [:]
        let declaration = /^(?:\w+ )*(protocol|struct|class|actor|enum|extension) (\w+)(?:<[^>]*>)?(?:: ([^{]*))?/
        var conformances: [(type: String, conformance: String)] = []
        var protocols: Set<String> = []
        for file in files {
            var owner: String?
            for line in file.split(separator: "\n") {
                let texts = /"(?:[^"\\]|\\.)*"/
                let code = line.replacing(texts, with: "").split(separator: "//", omittingEmptySubsequences: false).first ?? ""
                if let found = code.prefixMatch(of: declaration) {
                    let name = String(found.2)
                    if found.1 == "protocol" { protocols.insert(name) }
                    if edges[name] == nil { edges[name] = [] }
                    for type in (found.3 ?? "").matches(of: /\w+/) { conformances.append((name, String(type.output))) }
                    owner = name
                } else if let owner {
                    edges[owner, default: []].formUnion(code.matches(of: /\b[A-Z]\w*\b(?!\.)/).map { String($0.output) })
                }
                if line.hasPrefix("}") { owner = nil }
            }
        }
        for (type, conformance) in conformances where protocols.contains(conformance) { edges[conformance]?.insert(type) }
        let known = Set(edges.keys)
        for (type, used) in edges { edges[type] = used.intersection(known).subtracting(protocols.contains(type) ? [] : [type]) }
    }

    /// Returns the shortest path from a type to itself; nil if there is none.
    func cycle(through type: String) -> [String]? {
        var paths = [[type]]
        var visited: Set<String> = []
        while !paths.isEmpty {
            var longer: [[String]] = []
            for path in paths {
                for next in (path.last.flatMap { edges[$0] } ?? []).sorted() {
                    if next == type { return path + [next] }
                    if visited.insert(next).inserted { longer.append(path + [next]) }
                }
            }
            paths = longer
        }
        return nil
    }
}
