package main

import (
	"testing"

	"rollcall/internal/cmdtest"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }
