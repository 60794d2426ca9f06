import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionDiagramTests {
    /// The machine as it is: every pair of state and event that does something, drawn.
    static func diagram() throws -> String {
        var lines = ["stateDiagram-v2", "    [*] --> active : first purchase"]
        for stage in SubscriptionStage.allCases {
            var labels: [SubscriptionStage: [String]] = [:]
            for happening in SubscriptionHappening.allCases {
                var subscription = try stage.sample()
                guard try !happening.happen(to: &subscription).isEmpty else { continue }
                labels[SubscriptionStage(subscription), default: []].append(happening.rawValue)
            }
            for target in SubscriptionStage.allCases {
                guard let words = labels[target] else { continue }
                lines.append("    \(stage) --> \(target) : \(words.joined(separator: ", "))")
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test func `the diagram in the documentation is the machine`() throws {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        var file = folder.appending(path: "docs/subscriptions.md")
        while !FileManager.default.fileExists(atPath: file.path), folder.path != "/" {
            folder.deleteLastPathComponent()
            file = folder.appending(path: "docs/subscriptions.md")
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let drawn = try Self.diagram()
        #expect(text.contains("```mermaid\n\(drawn)\n```"), "docs/subscriptions.md should show:\n\(drawn)")
    }
}
