import Foundation
import Testing

/// Tests that the list of users' complaints names tests that exist.
@Suite struct ComplaintsTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// The rows of the tables, as the number of the complaint and the last column.
    private static var rows: [(number: Int, proof: String)] {
        get throws {
            let page = try String(contentsOf: root.appending(path: "docs/complaints.md"), encoding: .utf8)
            return page.matches(of: /\| (\d+) \| [^|]+ \| ([^|]+) \|/).map { (Int($0.1) ?? 0, String($0.2)) }
        }
    }

    /// The names of the tests of each suite.
    private static var tests: [String: Set<String>] {
        get throws {
            var tests: [String: Set<String>] = [:]
            let files = FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                var suite = ""
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    // Only lines that can match are searched: the folder has a hundred thousand of them.
                    if ["@", "extension ", "struct ", "final class "].contains(where: { line.hasPrefix($0) }) {
                        if let match = line.firstMatch(of: /(?:struct|class|extension) (\w+)/) { suite = String(match.1) }
                    } else if line.utf8.contains(UInt8(ascii: "`")), let match = line.firstMatch(of: /func `([^`]+)`/) {
                        tests[suite, default: []].insert(String(match.1))
                    }
                }
            }
            return tests
        }
    }

    @Test func `each complaint names tests that exist, or says that it is open`() throws {
        let (rows, tests) = (try Self.rows, try Self.tests)
        #expect(rows.map(\.number).sorted() == Array(1...71))
        for (number, proof) in rows {
            let named = proof.matches(of: /`(\w+)` \/ `([^`]+)`/).map { (String($0.1), String($0.2)) }
            #expect(!named.isEmpty || proof.contains("Open: "), "complaint \(number)")
            for (suite, test) in named {
                #expect(tests[suite]?.contains(test) == true, "complaint \(number): \(suite) has no test “\(test)”")
            }
        }
    }
}
