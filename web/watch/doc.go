// Package watch is the pages of watchers: the inbox, alerts, their import and export, and what they found.
//
// They work without scripts. The form of a new alert and the live page alone are frames: their scripts ask /graphql with the reader's
// session. Templates, scripts and messages lie with those of package web, which shows all pages in one layout and adds these routes to
// its own. Rules about watchers do not belong here; they are in package models.
package watch
