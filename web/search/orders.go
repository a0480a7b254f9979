package search

import (
	"rollcall/models"
	"rollcall/web/words"
)

// order is an order of bookings that a reader may choose.
type order struct {
	// Value is its name in addresses.
	Value string
	Name  words.Text
	// by is what the store calls it.
	by models.Order
	// rises means that small values come first.
	rises bool
}

// orders are all of them. The first one is that of an address without an order.
var orders = []order{
	{"", words.T("Best match"), models.OrderRelevance, false},
	{"NEWEST", words.T("Booked, newest"), models.OrderOwn, false},
	{"OLDEST", words.T("Booked, oldest"), models.OrderOldest, true},
	{"NAME", words.T("Name, A to Z"), models.OrderName, true},
	{"NAME_DESC", words.T("Name, Z to A"), models.OrderNameDown, false},
	{"COUNTY", words.T("County, A to Z"), models.OrderCounty, true},
	{"COUNTY_DESC", words.T("County, Z to A"), models.OrderCountyDown, false},
	{"RELEASED_LATEST", words.T("Released, latest"), models.OrderReleased, false},
	{"RELEASED_EARLIEST", words.T("Released, earliest"), models.OrderReleasedOld, true},
	{"BOND_HIGHEST", words.T("Bond, highest"), models.OrderBond, false},
	{"BOND_LOWEST", words.T("Bond, lowest"), models.OrderBondLow, true},
	{"CHARGE", words.T("Charge, A to Z"), models.OrderCharge, true},
	{"CHARGE_DESC", words.T("Charge, Z to A"), models.OrderChargeDown, false},
}

// orderOf returns the order of a name, and whether there is one.
func orderOf(name string) (order, bool) {
	for _, o := range orders {
		if o.Value == name {
			return o, true
		}
	}
	return orders[0], false
}

// Orders returns the orders that a reader may choose.
func (a *asked) Orders() []order { return orders }

// column is a column of the table of bookings, whose head sorts by it.
type column struct {
	Name words.Text
	// ID is that of its link.
	ID string
	// Class is how its cells are set.
	Class string
	// Sorted is how it sorts now, as aria-sort has it, and Arrow the sign for that; empty: it does not sort.
	Sorted, Arrow string
	// Path is the address in its next order.
	Path string

	orders [2]string // the first one is chosen first
}

// columns are those of the table, in their order.
var columns = []column{
	{Name: words.T("Name"), ID: "sort-name", orders: [2]string{"NAME", "NAME_DESC"}},
	{Name: words.T("Booked"), ID: "sort-booked", orders: [2]string{"NEWEST", "OLDEST"}},
	// A booking is in custody or was released, so its status is sorted by the time of release.
	{Name: words.T("Status"), ID: "sort-released", orders: [2]string{"RELEASED_LATEST", "RELEASED_EARLIEST"}},
	{Name: words.T("County"), ID: "sort-county", orders: [2]string{"COUNTY", "COUNTY_DESC"}},
	{Name: words.T("Bond"), ID: "sort-bond", Class: "num", orders: [2]string{"BOND_HIGHEST", "BOND_LOWEST"}},
	{Name: words.T("Charge"), ID: "sort-charge", Class: "whole", orders: [2]string{"CHARGE", "CHARGE_DESC"}},
}

// Columns returns the columns of the table as they are sorted.
func (a *asked) Columns() []column {
	out := make([]column, len(columns))
	for i, c := range columns {
		next := c.orders[0]
		c.Sorted = "none"
		if a.Sort == c.orders[0] {
			next = c.orders[1]
		}
		if o, _ := orderOf(a.Sort); a.Sort == c.orders[0] || a.Sort == c.orders[1] {
			c.Sorted, c.Arrow = "descending", "↓"
			if o.rises {
				c.Sorted, c.Arrow = "ascending", "↑"
			}
		}
		c.Path = a.with("sort", next)
		out[i] = c
	}
	return out
}
