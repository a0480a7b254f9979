// Package watch is the pages of watchers: alerts, their import and export, what they found, and what was delivered.
//
// The list of alerts and what is done with several of them work without scripts, as do the forms that
// a reader without the plan still needs. The other pages are frames: their scripts ask /graphql with
// the reader's session. Templates, scripts and messages
// lie with those of package web, which shows all pages in one layout and adds these routes to its
// own. Rules about watchers do not belong here; they are in package models.
package watch
