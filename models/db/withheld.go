package db

import "rollcall/models"

// SealedBooking tells of a booking sb that nothing of it may be shown. One that was merged is another
// name of the record that it went into, and may be shown as long as that one may.
const SealedBooking = `(sb.withheld is not null and (sb.withheld <> '` + models.Merged + `' or not exists (
 select from merged_records sm join bookings sk on sk.rid = sm.record where sm.family = 'roster' and sm.id = sb.id and sk.withheld is null)))`

// SealedDelivery tells of a delivery d that its body speaks of such a record. The notice that a record is
// sealed does not: it names nobody.
const SealedDelivery = `(d.kind <> 'sealed' and exists (select from events se join bookings sb on sb.rid = se.rid where se.id = d.event_id and ` + SealedBooking + `))`
