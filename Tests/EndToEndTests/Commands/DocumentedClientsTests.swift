import Foundation
import ProcessTestSupport
import Testing

/// How clients in other languages are told to trust a store's root, as `docs/testing-your-backend.md` says it.
@Suite struct DocumentedClientsTests {
    /// Whether there is a JDK, whose `java` runs a source file.
    private static let hasJava = ["java", "keytool"].allSatisfy { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    private static let fetch = """
        public class Fetch {
            public static void main(String[] arguments) throws Exception {
                var url = java.net.URI.create(arguments[0]).toURL();
                System.out.println(((java.net.HttpURLConnection) url.openConnection()).getResponseCode());
            }
        }
        """

    @Test(.enabled(if: hasJava)) func `Java trusts the root as the page says`() async throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/testing-your-backend.md").standardizedFileURL
        let row = try #require(try String(contentsOf: page, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("| Java |") })
        let settings = row.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        try #require(settings.count == 2)
        try await RunningStore.with(["--tls-port", "0"]) { store in
            try store.command.write(Data(Self.fetch.utf8), to: "Fetch.java")
            let script = "cp '\(store.text("root_certificate"))' root.pem; \(settings[0]) >&2; java"
            let url = "\(store.text("tls_url"))/store"
            let trusting = try await store.shell("\(script) \(settings[1]) Fetch.java '\(url)'")
            #expect(trusting.text == "200\n", "\(trusting.error)")
            // Without the settings the certificate is nobody's.
            #expect(try await store.shell("java Fetch.java '\(url)'").code != 0)
        }
    }
}
