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
        let workshop = try Workshop()
        var writer = try CorpusWriter(folder: URL(filePath: CommandLine.arguments[1]))
        let cases =
            try workshop.genuineReceipts() + workshop.receiptSignatures() + workshop.receiptChains() + workshop.receiptContainers()
            + workshop.receiptContents() + workshop.receiptChecks() + workshop.transactionReceipts()
            + workshop.genuineSignedData() + workshop.signedDataHeaders() + workshop.signedDataForms() + workshop.signedDataChains()
            + workshop.signedDataPayloads() + workshop.signedDataChecks()
        for forgery in cases { try writer.write(forgery) }
        for forgery in try await workshop.revocations() { try writer.write(forgery) }
        try writer.finish(workshop)
    }
}
