import Foundation
import PrivateFiles
import PurchaseModel

/// A JSON file in a device's folder, which is replaced atomically.
///
/// After a crash, the file contains either the old value or the new value.
struct DeviceFile<Record: StoredRecord>: Sendable {
    let path: String
    var step: @Sendable (DeviceStep) -> Void = { _ in }

    /// Returns the value in the file, or nil if the file does not exist.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the file can't be read or decoded, or has an unknown version.
    func read() throws(DeviceError) -> Record.Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try Record.read(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .storage(reason: "\(path) can't be read or decoded; check its permissions, or remove it to start with a new file")
        }
    }

    /// Replaces the value in the file, which only the file's owner can read.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the file can't be written.
    func write(_ value: Record.Value) throws(DeviceError) {
        do {
            let name = URL(filePath: path).lastPathComponent
            step(.replacing(name))
            try DurableFile.replace(path, with: Record.write(value))
            step(.replaced(name))
        } catch {
            throw .storage(reason: "\(path) can't be written (\(error)); check the free space and the permissions")
        }
    }
}

/// A step of a device's work, at which tests simulate a power failure.
package enum DeviceStep: Hashable, Sendable {
    /// The device is about to write the journal; the value names the kind of change.
    case writing(String)
    /// The device has written the journal; the value names the kind of change.
    case written(String)
    /// The device is about to send a request to the endpoint with this path template.
    case sending(String)
    /// The device has received the response of the endpoint with this path template.
    case answered(String)
    /// The device is about to replace the file with this name, or a downloaded content for `content`.
    case replacing(String)
    /// The device has replaced the file with this name, or a downloaded content for `content`.
    case replaced(String)
}
