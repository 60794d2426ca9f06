import Foundation
import ProcessTestSupport
import Testing

/// Tests of the instructions in `docs/testing-your-backend.md` for clients that trust a store's root.
@Suite struct DocumentedClientsTests {
    /// Whether a JDK is installed.
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

    @Test(.enabled(if: hasJava)) func `Java trusts the root with the documented settings`() async throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/testing-your-backend.md").standardizedFileURL
        let row = try #require(try String(contentsOf: page, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("| Java |") })
        let settings = row.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        try #require(settings.count == 2)
        try await RunningStore.with(["--tls-port", "0"]) { store in
            try store.command.write(Data(Self.fetch.utf8), to: "Fetch.java")
            let script = "cp '\(store.text("rootCertificate"))' root.pem; \(settings[0]) >&2; java"
            let url = "\(store.text("tlsURL"))/store"
            let trusting = try await store.shell("\(script) \(settings[1]) Fetch.java '\(url)'")
            #expect(trusting.text == "200\n", "\(trusting.error)")
            // Without the settings Java does not trust the certificate.
            #expect(try await store.shell("java Fetch.java '\(url)'").code != 0)
        }
    }
}
