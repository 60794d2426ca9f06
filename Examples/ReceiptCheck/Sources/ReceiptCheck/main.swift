import Foundation
import PurchaseModel
import PurchaseProof

// Verifies a receipt of the sample app and prints its purchases: ReceiptCheck ROOTS.pem RECEIPT
guard CommandLine.arguments.count == 3 else {
    print("Usage: ReceiptCheck ROOTS.pem RECEIPT")
    exit(64)
}
let pem = try String(contentsOf: URL(filePath: CommandLine.arguments[1]), encoding: .utf8)
let receipt = try Data(contentsOf: URL(filePath: CommandLine.arguments[2]))

let verifier = ReceiptVerifier(
    roots: try .apple(and: pem, in: [.sandbox]), bundleID: "com.example.monkeyshop", environments: [.sandbox])
do {
    let verified = try await verifier.verify([UInt8](receipt))
    print("The receipt is verified; it has \(verified.payload.purchases.count) purchases.")
} catch {
    print("The receipt is not verified: \(error)")
    exit(1)
}
