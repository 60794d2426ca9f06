import ArgumentParser
import PurchaseModel
import PurchaseProtocol

extension FaultSurface: ExpressibleByArgument {}
