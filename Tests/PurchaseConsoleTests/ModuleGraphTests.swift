import Hummingbird
import HummingbirdTesting
import Testing

@testable import PurchaseConsole

@Suite struct ModuleGraphTests {
    /// Returns the scripts that the store's console serves, by their names.
    private func scripts() async throws -> [String: String] {
        let router = Router()
        StoreConsole().addRoutes(to: router)
        return try await Application(router: router).test(.router) { client in
            var scripts: [String: String] = [:]
            for name in StoreAsset.files.keys where name.hasSuffix(".js") {
                scripts[name] = String(buffer: try await client.execute(uri: "/console/\(name)", method: .get).body)
            }
            return scripts
        }
    }

    @Test func `the scripts of the store's page have no circular imports`() async throws {
        let graph = ModuleGraph(sources: try await scripts())
        #expect(graph.cycle == [])
        #expect(graph.imports["store.js"]?.contains("dom.js") == true, "The imports are not read.")
    }

    @Test func `every module that a script imports is served`() async throws {
        let graph = ModuleGraph(sources: try await scripts())
        for (module, imported) in graph.imports {
            #expect(imported.isSubset(of: graph.imports.keys), "\(module)")
        }
    }

    @Test(
        arguments: [
            (["a.js": "import { b } from \"./b.js\";", "b.js": "import * as a from './a.js';"], ["a.js", "b.js"]),
            (["a.js": "import \"./a.js\";"], ["a.js"]),
            (["a.js": "import \"./b.js\";", "b.js": "import \"./c.js\";", "c.js": "export { x } from \"./b.js\";"], ["b.js", "c.js"]),
            (["a.js": "import {\n    b,\n} from \"./b.js\";", "b.js": "const a = () => import(\"./a.js\");"], ["a.js", "b.js"]),
            (["a.js": "import \"./b.js\";\nimport \"./c.js\";", "b.js": "import \"./c.js\";", "c.js": "// from a.js"], []),
        ] as [([String: String], [String])]
    )
    func `a circular import is found, and modules that several others import are none`(_ sources: [String: String], _ cycle: [String]) {
        #expect(ModuleGraph(sources: sources).cycle == cycle)
    }
}
