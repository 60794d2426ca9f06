import Foundation
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import MonkeyShopUI

/// Tests of the server-sent events with the parts of the page.
struct PageEventsTests {
    private let templates: PageTemplates

    init() throws {
        templates = try PageTemplates()
    }

    /// Runs `body` with a visitor whose app has loaded the products.
    private func withVisitor(_ body: @Sendable (Visitor) async -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await ShopWorld.with(folder: folder.url.path, logger: .silent) { world in
                let visitor = await Visitor(world, in: .english)
                await withDiscardingTaskGroup { group in
                    group.addTask { await visitor.resume() }
                    for await _ in visitor.updates where await PageView(visitor).phone.shop?.cards.allSatisfy({ !$0.isDisabled }) ?? false {
                        break
                    }
                    await body(visitor)
                    await visitor.leave()
                }
            }
        }
    }

    /// Returns the names of events except `messages`, because other threads can record messages at any time.
    private func names(_ events: String) -> [String] {
        events.split(separator: "\n").compactMap { $0.hasPrefix("event: ") ? String($0.dropFirst(7)) : nil }.filter { $0 != "messages" }
    }

    @Test func `an event contains only the parts that have changed`() async throws {
        try await withVisitor { visitor in
            // No other change than new messages can occur between the views, because the code stays on the main actor.
            await MainActor.run {
                let first = PageView(visitor)
                #expect(names(templates.events(from: nil, to: first)) == ["page"])
                #expect(names(templates.events(from: first, to: PageView(visitor))).isEmpty)
                visitor.beginTour()
                let events = templates.events(from: first, to: PageView(visitor))
                #expect(names(events) == ["head"] && events.contains("Stop 1 of 10"))
            }
        }
    }

    @Test func `another screen changes the phone and the code, and another language the whole page`() async throws {
        try await withVisitor { visitor in
            let first = await PageView(visitor)
            await visitor.perform(.tap(.show("books")), limit: 1)
            let second = await PageView(visitor)
            let changed = names(templates.events(from: first, to: second))
            #expect(changed.contains("stage") && changed.contains("code") && !changed.contains("head") && !changed.contains("page"))
            await visitor.perform(.setLanguage(.german), limit: 1)
            let german = templates.events(from: second, to: await PageView(visitor))
            #expect(names(german) == ["page"] && german.contains("Bücher"))
        }
    }
}
