import PurchaseModel
import StoreControl
import Testing

/// Tests of the client of a host in this process, by the public API only.
@Suite(.timeLimit(.minutes(10))) struct StoreHostClientTests {
    @Test func `a store is created, found, listed and deleted`() async throws {
        try await withHost { host in
            let created = try await host.createStore(named: "first", storekit: TestShop.storekit, bundleID: "com.example.shop")
            #expect(created.name == "first" && created.bundleID == "com.example.shop")
            #expect(try await host.store(named: "first") == created)
            #expect(try await host.stores().map(\.name) == ["default", "first"])

            let store = try host.client(of: created)
            #expect(store.url == HTTPURL("\(host.url)/stores/first"))
            #expect(try await store.description() == created)
            #expect(store.host.url == host.url)
            #expect(try await store.host.stores().count == 2)

            try await host.deleteStore(named: "first")
            let error = await #expect(throws: StoreControlError.self) { try await host.store(named: "first") }
            #expect(error?.code == "store.unknown")
        }
    }

    @Test func `the token is sent only to the host, whatever address a description states`() async throws {
        try await withHost { host in
            for var description in [try await host.createStore(named: "first"), try #require(try await host.stores().first)] {
                let url = description.url
                description.url = "http://127.0.0.1:9"
                let store = try host.client(of: description)
                #expect(store.url.text == url)
            }
        }
    }

    @Test func `two stores with the same name do not exist`() async throws {
        try await withHost { host in
            _ = try await host.createStore(named: "same")
            let error = await #expect(throws: StoreControlError.self) { try await host.createStore(named: "same") }
            #expect(error?.code == "store.taken")
        }
    }

    @Test func `a store for a test is deleted also after an error`() async throws {
        struct Failure: Error {}
        try await withHost { host in
            await #expect(throws: Failure.self) {
                try await host.withStore { _, _ in throw Failure() }
            }
            try await host.withStore { _, description in description.name }
            let names = try await host.stores().map(\.name)
            #expect(names == ["default"])
        }
    }

    @Test func `an exported store continues on the host under another name`() async throws {
        try await withHost { host in
            try await host.withStore(storekit: TestShop.storekit) { store, description in
                try await store.buy("com.example.coins", for: "jane")
                let copy = try await host.importStore(try await store.export(), named: "copy")
                #expect(copy.name == "copy" && copy.rootCertificate == description.rootCertificate)
                #expect(try await host.client(of: copy).transactions(of: "jane").count == 1)
            }
        }
    }

    @Test func `the example for a host plays a subscription`() async throws {
        try await withHost { host in
            let events = try await playOnHost(host, catalog: TestShop.storekit)
            #expect(Set([StoreEvent.Kind.purchase, .renewal, .refund]).isSubset(of: events))
        }
    }
}
