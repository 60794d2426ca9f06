import Foundation
import PrivateFiles
import PurchaseModel

/// A small JSON file of a device, replaced atomically: a crash leaves the old text or the new one.
struct DeviceFile<Value: Codable & Sendable>: Sendable {
    let path: String
    var step: @Sendable (DeviceStep) -> Void = { _ in }

    /// The value in the file; nil when there is no file.
    func read() throws(DeviceError) -> Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .storage(reason: "\(path) can't be read; remove it to start anew")
        }
    }

    /// Replaces the file, readable by its owner only.
    func write(_ value: Value) throws(DeviceError) {
        do {
            let name = URL(filePath: path).lastPathComponent
            step(.replacing(name))
            try DurableFile.replace(path, with: JSONEncoder().encode(value))
            step(.replaced(name))
        } catch {
            throw .storage(reason: "\(path) can't be written (\(error))")
        }
    }
}
