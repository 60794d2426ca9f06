import ArgumentParser

/// The checks of receipts.
struct ReceiptCheckOptions: ParsableArguments {
    @Option(help: "Refuse receipts for another version of the app.")
    var appVersion: String?

    @Option(help: "Refuse receipts for another device: the UUID of an iPhone's app, or the network address of a Mac.")
    var device: DeviceOption?
}
