// Package watch is the pages of watchers: alerts, their import and export, what they found, and what was delivered.
//
// The pages are frames: their scripts ask /graphql with the reader's session. Forms that a reader
// without the plan still needs (pausing, deleting) are plain ones. Templates, scripts and messages
// lie with those of package web, which shows all pages in one layout and adds these routes to its
// own. Rules about watchers do not belong here; they are in package models.
package watch
