import Foundation
import PrivateFiles
import PurchaseModel

/// A small JSON file of a device, replaced atomically: a crash leaves the old text or the new one.
struct DeviceFile<Record: StoredRecord>: Sendable {
    let path: String
    var step: @Sendable (DeviceStep) -> Void = { _ in }

    /// The value in the file; nil when there is no file.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` for a file that can't be read, or whose version is unknown.
    func read() throws(DeviceError) -> Record.Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try Record.read(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .storage(reason: "\(path) can't be read; remove it to start anew")
        }
    }

    /// Replaces the file, readable by its owner only.
    func write(_ value: Record.Value) throws(DeviceError) {
        do {
            let name = URL(filePath: path).lastPathComponent
            step(.replacing(name))
            try DurableFile.replace(path, with: Record.write(value))
            step(.replaced(name))
        } catch {
            throw .storage(reason: "\(path) can't be written (\(error))")
        }
    }
}
