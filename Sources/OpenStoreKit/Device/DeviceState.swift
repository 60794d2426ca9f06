import Foundation
import PurchaseModel
import Synchronization

/// What a device knows about itself, in memory and on disk.
final class DeviceState: Sendable {
    private struct Values {
        var identity: DeviceIdentity
        var settings: DeviceSettings
    }

    private let identityFile: DeviceFile<DeviceIdentity>
    private let settingsFile: DeviceFile<DeviceSettings>
    private let values: Mutex<Values>
    /// The device's identifier, made once.
    let device: DeviceID

    init(folder: String) throws(DeviceError) {
        identityFile = DeviceFile(path: folder + "/identity.json")
        settingsFile = DeviceFile(path: folder + "/settings.json")
        let settings = try settingsFile.read() ?? DeviceSettings()
        let identity: DeviceIdentity
        if let known = try identityFile.read() {
            identity = known
        } else {
            identity = DeviceIdentity(device: DeviceID(UUID()))
            try identityFile.write(identity)
        }
        device = identity.device
        values = Mutex(Values(identity: identity, settings: settings))
    }

    var settings: DeviceSettings { values.withLock { $0.settings } }
    var session: DeviceIdentity.Session? { values.withLock { $0.identity.session } }

    func change(_ body: (inout DeviceSettings) -> Void) throws(DeviceError) {
        try values.withLock { (values) throws(DeviceError) in
            var settings = values.settings
            body(&settings)
            try settingsFile.write(settings)
            values.settings = settings
        }
    }

    /// Changes who is signed in, in memory even when it can't be written.
    func set(session: DeviceIdentity.Session?) throws(DeviceError) {
        try values.withLock { (values) throws(DeviceError) in
            values.identity.session = session
            try identityFile.write(values.identity)
        }
    }
}
