import Foundation

/// Makes the corpus of forgeries anew: `scripts/forgeries`.
///
/// Keys are new each time, so every file changes; what is in the corpus is described in `Cases`, and nowhere else.
@main
struct ForgeryMaker {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: ForgeryMaker FOLDER")
            exit(64)
        }
        let factory = try ForgeryFactory()
        var writer = try CorpusWriter(folder: URL(filePath: CommandLine.arguments[1]))
        let cases =
            try factory.genuineReceipts() + factory.receiptSignatures() + factory.receiptChains() + factory.receiptContainers()
            + factory.receiptContents() + factory.receiptChecks() + factory.transactionReceipts()
            + factory.genuineSignedData() + factory.signedDataHeaders() + factory.signedDataForms() + factory.signedDataChains()
            + factory.signedDataPayloads() + factory.signedDataChecks()
        for forgery in cases { try writer.write(forgery) }
        for forgery in try await factory.revocations() { try writer.write(forgery) }
        try writer.finish(factory)
    }
}
