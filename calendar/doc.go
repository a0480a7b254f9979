// Package calendar serves the hearings of a court case as iCalendar (RFC 5545). Its addresses carry a token, so
// that calendar programs, which send no key, can subscribe to them (DECISIONS.md, Lists and parameters). It
// knows how a calendar is written. Which tokens exist and what they open is stored in models/account. The case
// and its hearings are read through the store like any other record, so a withheld case is never shown.
//
// GraphQL and `rollcall feed` make subscriptions. The settings pages list and end
// them.
package calendar
