package token

// Particles are parts of a surname that are written apart, together or not at all. Own is true where the particle makes
// another name (MC DONALD), false where it may be left out (DE LA CRUZ, CRUZ).
var Particles = map[string]struct{ Own bool }{
	"de": {}, "la": {}, "las": {}, "los": {}, "del": {}, "dela": {}, "delos": {}, "delas": {}, "da": {}, "das": {},
	"do": {}, "dos": {}, "di": {}, "du": {}, "le": {}, "des": {},
	"van": {}, "von": {}, "vander": {}, "vanden": {}, "vande": {}, "der": {}, "den": {}, "ter": {}, "ten": {},
	"al": {}, "el": {}, "ul": {}, "bin": {}, "ibn": {}, "bint": {}, "abu": {},
	"st": {Own: true}, "saint": {Own: true}, "ste": {Own: true}, "san": {Own: true}, "santa": {Own: true},
	"mc": {Own: true}, "mac": {Own: true}, "o": {Own: true}, "fitz": {Own: true}, "d": {Own: true}, "l": {Own: true},
}

// GivenParticles are the ones that also stand inside given names (MARIA DEL CARMEN).
var GivenParticles = map[string]bool{"de": true, "la": true, "las": true, "los": true, "del": true}
