import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionDiagramTests {
    /// Returns a Mermaid diagram of the state machine, with every pair of stage and event that has an effect.
    static func diagram() throws -> String {
        var lines = ["stateDiagram-v2", "    [*] --> active : first purchase"]
        for stage in SubscriptionStage.allCases {
            var labels: [SubscriptionStage: [String]] = [:]
            for kind in SubscriptionEventKind.allCases {
                var subscription = try stage.sample()
                guard try !kind.apply(to: &subscription).isEmpty else { continue }
                labels[SubscriptionStage(subscription), default: []].append(kind.rawValue)
            }
            for target in SubscriptionStage.allCases {
                guard let eventNames = labels[target] else { continue }
                lines.append("    \(stage) --> \(target) : \(eventNames.joined(separator: ", "))")
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test func `the diagram in the documentation matches the state machine`() throws {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        var file = folder.appending(path: "docs/subscriptions.md")
        while !FileManager.default.fileExists(atPath: file.path), folder.path != "/" {
            folder.deleteLastPathComponent()
            file = folder.appending(path: "docs/subscriptions.md")
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let expected = try Self.diagram()
        #expect(text.contains("```mermaid\n\(expected)\n```"), "docs/subscriptions.md should show:\n\(expected)")
    }
}
