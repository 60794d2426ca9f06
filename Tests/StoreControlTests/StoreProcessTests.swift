import Foundation
import PurchaseModel
import StoreControl
import Testing

/// Tests that start the built `tillroll`.
@Suite(.timeLimit(.minutes(2))) struct StoreProcessTests {
    private static let tillroll = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "tillroll").path

    private struct Failure: Error {}

    @Test func `a store in a process plays a subscription`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Shop.storekit")
            try TestShop.storekit.write(to: file)
            let events = try await playInProcess(executable: Self.tillroll, storekit: file.path)
            #expect(Set([StoreEvent.Kind.purchase, .renewal, .refund]).isSubset(of: events))
        }
    }

    @Test func `a store in a process ends with the code that uses it`() async throws {
        let url = try await StoreProcess.withStore(executable: Self.tillroll) { store, description in
            #expect(HTTPURL(description.url) == store.url)
            #expect(description.rootCertificate.contains("BEGIN CERTIFICATE"))
            return store.url
        }
        await #expect(throws: StoreControlError.unreachable(url)) { try await StoreClient(url: url).clock() }
    }

    @Test func `a store in a process ends after an error of the code that uses it`() async throws {
        var url: HTTPURL?
        do {
            try await StoreProcess.withStore(executable: Self.tillroll) { store, _ in
                url = store.url
                throw Failure()
            }
        } catch is Failure {}
        let ended = try #require(url)
        await #expect(throws: StoreControlError.unreachable(ended)) { try await StoreClient(url: ended).clock() }
    }

    @Test func `a store with a token is reached with the token that it prints`() async throws {
        let arguments = ["--token", "secret", "--bundle-id", "com.example.shop"]
        try await StoreProcess.withStore(executable: Self.tillroll, arguments: arguments) { store, description in
            #expect(description.bundleID == "com.example.shop")
            #expect(try await store.accounts().isEmpty)
            let error = await #expect(throws: StoreControlError.self) { try await StoreClient(url: store.url).accounts() }
            #expect(error?.status == 401 && error?.code == "access.token-missing")
            let environment = ["TILLROLL_STORE": store.url.text, "TILLROLL_TOKEN": "secret"]
            #expect(try await StoreClient.find(environment: environment).url == store.url)
        }
    }

    @Test func `a missing executable and an invalid file are errors with a reason`() async throws {
        let missing = await #expect(throws: StoreControlError.self) {
            try await StoreProcess.withStore(executable: "/nowhere/tillroll") { _, _ in }
        }
        #expect(missing?.description.contains("/nowhere/tillroll") == true)
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Shop.storekit")
            try Data("nonsense".utf8).write(to: file)
            let invalid = await #expect(throws: StoreControlError.self) {
                try await StoreProcess.withStore(executable: Self.tillroll, storekit: file.path) { _, _ in }
            }
            #expect(invalid?.description.contains("It ended before it was ready.") == true)
        }
    }
}
