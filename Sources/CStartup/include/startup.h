// Nothing is called from here: what this module does, it does before the program begins.
#pragma once
