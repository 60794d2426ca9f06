import Foundation
import LocalAppStore
import PurchaseTestSupport
import Testing

/// Tests with the fuzzing corpus of `.storekit` files.
@Suite struct FuzzCorpusTests {
    @Test(arguments: try FuzzCorpus.inputs("storekit"))
    func `a storekit file yields a catalog or an error`(input: FuzzCorpus.Input) {
        let catalog = try? Catalog(storekit: Data(input.bytes))
        if input.isGenuine { #expect(catalog != nil) }
    }
}
