package record

import "rollcall/models"

// columnOrder is an order of bookings by a column, before the order of the list.
type columnOrder struct {
	order string
	// carry are the columns of it that the list does not carry anyway.
	carry string
}

// bookingOrders are the orders by a column. SQL sorts: it reads all matches, and keeps those of the page. The numbers of
// counties are in the order of their names.
var bookingOrders = map[models.Order]columnOrder{
	models.OrderOldest:      {"b.booked_at", ""},
	models.OrderName:        {"b.name_key", ", b.name_key"},
	models.OrderNameDown:    {"b.name_key desc", ", b.name_key"},
	models.OrderCounty:      {"b.county_id", ", b.county_id"},
	models.OrderCountyDown:  {"b.county_id desc", ", b.county_id"},
	models.OrderReleased:    {"b.released_at desc nulls last", ", b.released_at"},
	models.OrderReleasedOld: {"b.released_at nulls last", ", b.released_at"},
	models.OrderBond:        {"b.bond_cents desc nulls last", ", b.bond_cents"},
	models.OrderBondLow:     {"b.bond_cents nulls last", ", b.bond_cents"},
	models.OrderCharge:      {"b.charges[1] nulls last", ", b.charges"},
	models.OrderChargeDown:  {"b.charges[1] desc nulls last", ", b.charges"},
}
