// The page that tells a person how a model was built: pictures and tables in
// one HTML file.
#pragma once

#include <string>

#include "sinew/anatomy/build_report.h"
#include "sinew/anatomy/model.h"

namespace sinew::record {

// The text of the file: it needs no other file and no network.
std::string make_build_page(const anatomy::Model& model, const anatomy::BuildReport& report);

}  // namespace sinew::record
