public import ArgumentParser
public import PurchaseModel

extension FaultSurface: ExpressibleByArgument {}
