// Generated from openapi.yaml by `npm run generate`. Do not edit.
"use strict";

const bodies = (() => {
const compiled = {};
compiled.QuoteRequest = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["inputChainId","outputChainId","inputToken","outputToken","inputAmount","userAddress"],"properties":{"inputChainId":{"$ref":"ChainId"},"outputChainId":{"$ref":"ChainId"},"inputToken":{"type":"string","minLength":1,"maxLength":128},"outputToken":{"type":"string","minLength":1,"maxLength":128},"inputAmount":{"$ref":"Amount"},"userAddress":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"destinationAddress":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"refundAddress":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"slippageBps":{"type":"integer","format":"int32","minimum":1,"maximum":5000},"rankingMode":{"$ref":"RankingMode"},"sandbox":{"type":"boolean"},"excludeVenues":{"type":"array","maxItems":64,"items":{"type":"string","minLength":1,"maxLength":64}},"broadcastViaService":{"type":"boolean"}},"$id":"QuoteRequest"};
const schema12 = {"type":"integer","format":"int32","enum":[1,10,56,130,137,324,480,999,143,8453,42161,59144,43114,4663,-1,-2],"$id":"ChainId"};
const schema14 = {"type":"string","maxLength":78,"pattern":"^[1-9][0-9]{0,77}$","$id":"Amount"};
const schema15 = {"type":"string","enum":["best_output","fastest"],"$id":"RankingMode"};
const func2 = Object.prototype.hasOwnProperty;
const func3 = require("ajv/dist/runtime/ucs2length").default;
const formats0 = require("ajv-formats/dist/formats").fullFormats.int32;
const pattern0 = new RegExp("^[1-9][0-9]{0,77}$", "u");
const pattern1 = new RegExp("^[0-9A-Za-z]+$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="QuoteRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.inputChainId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputChainId"},message:"must have required property '"+"inputChainId"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.outputChainId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outputChainId"},message:"must have required property '"+"outputChainId"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.inputToken === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputToken"},message:"must have required property '"+"inputToken"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.outputToken === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outputToken"},message:"must have required property '"+"outputToken"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.inputAmount === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputAmount"},message:"must have required property '"+"inputAmount"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.userAddress === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userAddress"},message:"must have required property '"+"userAddress"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(!(func2.call(schema11.properties, key0))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.inputChainId !== undefined){
let data0 = data.inputChainId;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err7 = {instancePath:instancePath+"/inputChainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((((((((((((((((data0 === 1) || (data0 === 10)) || (data0 === 56)) || (data0 === 130)) || (data0 === 137)) || (data0 === 324)) || (data0 === 480)) || (data0 === 999)) || (data0 === 143)) || (data0 === 8453)) || (data0 === 42161)) || (data0 === 59144)) || (data0 === 43114)) || (data0 === 4663)) || (data0 === -1)) || (data0 === -2))){
const err8 = {instancePath:instancePath+"/inputChainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema12.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats0.validate(data0))){
const err9 = {instancePath:instancePath+"/inputChainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.outputChainId !== undefined){
let data1 = data.outputChainId;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err10 = {instancePath:instancePath+"/outputChainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!((((((((((((((((data1 === 1) || (data1 === 10)) || (data1 === 56)) || (data1 === 130)) || (data1 === 137)) || (data1 === 324)) || (data1 === 480)) || (data1 === 999)) || (data1 === 143)) || (data1 === 8453)) || (data1 === 42161)) || (data1 === 59144)) || (data1 === 43114)) || (data1 === 4663)) || (data1 === -1)) || (data1 === -2))){
const err11 = {instancePath:instancePath+"/outputChainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema12.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(!(formats0.validate(data1))){
const err12 = {instancePath:instancePath+"/outputChainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data.inputToken !== undefined){
let data2 = data.inputToken;
if(typeof data2 === "string"){
if(func3(data2) > 128){
const err13 = {instancePath:instancePath+"/inputToken",schemaPath:"#/properties/inputToken/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func3(data2) < 1){
const err14 = {instancePath:instancePath+"/inputToken",schemaPath:"#/properties/inputToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/inputToken",schemaPath:"#/properties/inputToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.outputToken !== undefined){
let data3 = data.outputToken;
if(typeof data3 === "string"){
if(func3(data3) > 128){
const err16 = {instancePath:instancePath+"/outputToken",schemaPath:"#/properties/outputToken/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func3(data3) < 1){
const err17 = {instancePath:instancePath+"/outputToken",schemaPath:"#/properties/outputToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/outputToken",schemaPath:"#/properties/outputToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.inputAmount !== undefined){
let data4 = data.inputAmount;
if(typeof data4 === "string"){
if(func3(data4) > 78){
const err19 = {instancePath:instancePath+"/inputAmount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!pattern0.test(data4)){
const err20 = {instancePath:instancePath+"/inputAmount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/inputAmount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.userAddress !== undefined){
let data5 = data.userAddress;
if(typeof data5 === "string"){
if(func3(data5) > 128){
const err22 = {instancePath:instancePath+"/userAddress",schemaPath:"#/properties/userAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(func3(data5) < 1){
const err23 = {instancePath:instancePath+"/userAddress",schemaPath:"#/properties/userAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(!pattern1.test(data5)){
const err24 = {instancePath:instancePath+"/userAddress",schemaPath:"#/properties/userAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/userAddress",schemaPath:"#/properties/userAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.destinationAddress !== undefined){
let data6 = data.destinationAddress;
if(typeof data6 === "string"){
if(func3(data6) > 128){
const err26 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(func3(data6) < 1){
const err27 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!pattern1.test(data6)){
const err28 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.refundAddress !== undefined){
let data7 = data.refundAddress;
if(typeof data7 === "string"){
if(func3(data7) > 128){
const err30 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if(func3(data7) < 1){
const err31 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!pattern1.test(data7)){
const err32 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.slippageBps !== undefined){
let data8 = data.slippageBps;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err34 = {instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 5000 || isNaN(data8)){
const err35 = {instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000},message:"must be <= 5000"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data8 < 1 || isNaN(data8)){
const err36 = {instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(!(formats0.validate(data8))){
const err37 = {instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
if(data.rankingMode !== undefined){
let data9 = data.rankingMode;
if(typeof data9 !== "string"){
const err38 = {instancePath:instancePath+"/rankingMode",schemaPath:"RankingMode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(!((data9 === "best_output") || (data9 === "fastest"))){
const err39 = {instancePath:instancePath+"/rankingMode",schemaPath:"RankingMode/enum",keyword:"enum",params:{allowedValues: schema15.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.sandbox !== undefined){
if(typeof data.sandbox !== "boolean"){
const err40 = {instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data.excludeVenues !== undefined){
let data11 = data.excludeVenues;
if(Array.isArray(data11)){
if(data11.length > 64){
const err41 = {instancePath:instancePath+"/excludeVenues",schemaPath:"#/properties/excludeVenues/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
const len0 = data11.length;
for(let i0=0; i0<len0; i0++){
let data12 = data11[i0];
if(typeof data12 === "string"){
if(func3(data12) > 64){
const err42 = {instancePath:instancePath+"/excludeVenues/" + i0,schemaPath:"#/properties/excludeVenues/items/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(func3(data12) < 1){
const err43 = {instancePath:instancePath+"/excludeVenues/" + i0,schemaPath:"#/properties/excludeVenues/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/excludeVenues/" + i0,schemaPath:"#/properties/excludeVenues/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/excludeVenues",schemaPath:"#/properties/excludeVenues/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data.broadcastViaService !== undefined){
if(typeof data.broadcastViaService !== "boolean"){
const err46 = {instancePath:instancePath+"/broadcastViaService",schemaPath:"#/properties/broadcastViaService/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

compiled.ExecuteRequest = validate11;
const schema16 = {"type":"object","additionalProperties":false,"required":["quoteToken"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"destinationAddress":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"refundAddress":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"}},"$id":"ExecuteRequest"};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ExecuteRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.quoteToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "quoteToken") || (key0 === "destinationAddress")) || (key0 === "refundAddress"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.quoteToken !== undefined){
let data0 = data.quoteToken;
if(typeof data0 === "string"){
if(func3(data0) > 4096){
const err2 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(func3(data0) < 1){
const err3 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.destinationAddress !== undefined){
let data1 = data.destinationAddress;
if(typeof data1 === "string"){
if(func3(data1) > 128){
const err5 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(func3(data1) < 1){
const err6 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern1.test(data1)){
const err7 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/destinationAddress",schemaPath:"#/properties/destinationAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.refundAddress !== undefined){
let data2 = data.refundAddress;
if(typeof data2 === "string"){
if(func3(data2) > 128){
const err9 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func3(data2) < 1){
const err10 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern1.test(data2)){
const err11 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/refundAddress",schemaPath:"#/properties/refundAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

compiled.SubmitSignatureRequest = validate12;
const schema17 = {"type":"object","additionalProperties":false,"required":["quoteToken","signature"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"signature":{"type":"string","maxLength":16384,"pattern":"^0x[0-9a-fA-F]+$"},"approvalSignature":{"type":"string","maxLength":16384,"pattern":"^0x[0-9a-fA-F]+$"}},"$id":"SubmitSignatureRequest"};
const pattern6 = new RegExp("^0x[0-9a-fA-F]+$", "u");

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SubmitSignatureRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.quoteToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.signature === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "signature"},message:"must have required property '"+"signature"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "quoteToken") || (key0 === "signature")) || (key0 === "approvalSignature"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.quoteToken !== undefined){
let data0 = data.quoteToken;
if(typeof data0 === "string"){
if(func3(data0) > 4096){
const err3 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func3(data0) < 1){
const err4 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.signature !== undefined){
let data1 = data.signature;
if(typeof data1 === "string"){
if(func3(data1) > 16384){
const err6 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern6.test(data1)){
const err7 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.approvalSignature !== undefined){
let data2 = data.approvalSignature;
if(typeof data2 === "string"){
if(func3(data2) > 16384){
const err9 = {instancePath:instancePath+"/approvalSignature",schemaPath:"#/properties/approvalSignature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!pattern6.test(data2)){
const err10 = {instancePath:instancePath+"/approvalSignature",schemaPath:"#/properties/approvalSignature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/approvalSignature",schemaPath:"#/properties/approvalSignature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

compiled.SubmitTransactionRequest = validate13;
const schema18 = {"type":"object","additionalProperties":false,"required":["quoteToken","signedTransaction"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"signedTransaction":{"type":"string","minLength":1,"maxLength":8192,"pattern":"^[0-9A-Za-z+/]+={0,2}$"}},"$id":"SubmitTransactionRequest"};
const pattern8 = new RegExp("^[0-9A-Za-z+/]+={0,2}$", "u");

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SubmitTransactionRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.quoteToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.signedTransaction === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "signedTransaction"},message:"must have required property '"+"signedTransaction"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "quoteToken") || (key0 === "signedTransaction"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.quoteToken !== undefined){
let data0 = data.quoteToken;
if(typeof data0 === "string"){
if(func3(data0) > 4096){
const err3 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func3(data0) < 1){
const err4 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.signedTransaction !== undefined){
let data1 = data.signedTransaction;
if(typeof data1 === "string"){
if(func3(data1) > 8192){
const err6 = {instancePath:instancePath+"/signedTransaction",schemaPath:"#/properties/signedTransaction/maxLength",keyword:"maxLength",params:{limit: 8192},message:"must NOT have more than 8192 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func3(data1) < 1){
const err7 = {instancePath:instancePath+"/signedTransaction",schemaPath:"#/properties/signedTransaction/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern8.test(data1)){
const err8 = {instancePath:instancePath+"/signedTransaction",schemaPath:"#/properties/signedTransaction/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z+/]+={0,2}$"},message:"must match pattern \""+"^[0-9A-Za-z+/]+={0,2}$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/signedTransaction",schemaPath:"#/properties/signedTransaction/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

compiled.CreateKeyRequest = validate14;
const schema19 = {"type":"object","additionalProperties":false,"required":["email","projectName","website","telegram","twitter"],"properties":{"email":{"type":"string","format":"email","minLength":3,"maxLength":254,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"projectName":{"type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"website":{"type":"string","format":"uri","minLength":1,"maxLength":2048,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"telegram":{"type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"twitter":{"type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"discord":{"type":"string","maxLength":200,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"blurb":{"type":"string","maxLength":2000,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"category":{"type":"string","maxLength":200,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"},"chains":{"type":"array","maxItems":64,"items":{"type":"string","maxLength":100,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"}},"apisPlanned":{"type":"array","maxItems":64,"items":{"type":"string","maxLength":100,"pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]*$"}},"feeBps":{"type":"integer","format":"int32","minimum":0,"maximum":100}},"$id":"CreateKeyRequest"};
const formats6 = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const formats8 = require("ajv-formats/dist/formats").fullFormats.uri;
const pattern9 = new RegExp("^[^\\x00-\\x1f\\x7f-\\x9f]*$", "u");

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="CreateKeyRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.projectName === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "projectName"},message:"must have required property '"+"projectName"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.website === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "website"},message:"must have required property '"+"website"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.telegram === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "telegram"},message:"must have required property '"+"telegram"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.twitter === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "twitter"},message:"must have required property '"+"twitter"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(func2.call(schema19.properties, key0))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(func3(data0) > 254){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func3(data0) < 3){
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 3},message:"must NOT have fewer than 3 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern9.test(data0)){
const err8 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(formats6.test(data0))){
const err9 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.projectName !== undefined){
let data1 = data.projectName;
if(typeof data1 === "string"){
if(func3(data1) > 200){
const err11 = {instancePath:instancePath+"/projectName",schemaPath:"#/properties/projectName/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(func3(data1) < 1){
const err12 = {instancePath:instancePath+"/projectName",schemaPath:"#/properties/projectName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!pattern9.test(data1)){
const err13 = {instancePath:instancePath+"/projectName",schemaPath:"#/properties/projectName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/projectName",schemaPath:"#/properties/projectName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.website !== undefined){
let data2 = data.website;
if(typeof data2 === "string"){
if(func3(data2) > 2048){
const err15 = {instancePath:instancePath+"/website",schemaPath:"#/properties/website/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(func3(data2) < 1){
const err16 = {instancePath:instancePath+"/website",schemaPath:"#/properties/website/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(!pattern9.test(data2)){
const err17 = {instancePath:instancePath+"/website",schemaPath:"#/properties/website/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!(formats8(data2))){
const err18 = {instancePath:instancePath+"/website",schemaPath:"#/properties/website/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/website",schemaPath:"#/properties/website/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.telegram !== undefined){
let data3 = data.telegram;
if(typeof data3 === "string"){
if(func3(data3) > 200){
const err20 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(func3(data3) < 1){
const err21 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!pattern9.test(data3)){
const err22 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.twitter !== undefined){
let data4 = data.twitter;
if(typeof data4 === "string"){
if(func3(data4) > 200){
const err24 = {instancePath:instancePath+"/twitter",schemaPath:"#/properties/twitter/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(func3(data4) < 1){
const err25 = {instancePath:instancePath+"/twitter",schemaPath:"#/properties/twitter/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!pattern9.test(data4)){
const err26 = {instancePath:instancePath+"/twitter",schemaPath:"#/properties/twitter/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/twitter",schemaPath:"#/properties/twitter/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.discord !== undefined){
let data5 = data.discord;
if(typeof data5 === "string"){
if(func3(data5) > 200){
const err28 = {instancePath:instancePath+"/discord",schemaPath:"#/properties/discord/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(!pattern9.test(data5)){
const err29 = {instancePath:instancePath+"/discord",schemaPath:"#/properties/discord/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/discord",schemaPath:"#/properties/discord/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.blurb !== undefined){
let data6 = data.blurb;
if(typeof data6 === "string"){
if(func3(data6) > 2000){
const err31 = {instancePath:instancePath+"/blurb",schemaPath:"#/properties/blurb/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!pattern9.test(data6)){
const err32 = {instancePath:instancePath+"/blurb",schemaPath:"#/properties/blurb/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/blurb",schemaPath:"#/properties/blurb/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.category !== undefined){
let data7 = data.category;
if(typeof data7 === "string"){
if(func3(data7) > 200){
const err34 = {instancePath:instancePath+"/category",schemaPath:"#/properties/category/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(!pattern9.test(data7)){
const err35 = {instancePath:instancePath+"/category",schemaPath:"#/properties/category/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/category",schemaPath:"#/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.chains !== undefined){
let data8 = data.chains;
if(Array.isArray(data8)){
if(data8.length > 64){
const err37 = {instancePath:instancePath+"/chains",schemaPath:"#/properties/chains/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(typeof data9 === "string"){
if(func3(data9) > 100){
const err38 = {instancePath:instancePath+"/chains/" + i0,schemaPath:"#/properties/chains/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(!pattern9.test(data9)){
const err39 = {instancePath:instancePath+"/chains/" + i0,schemaPath:"#/properties/chains/items/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/chains/" + i0,schemaPath:"#/properties/chains/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/chains",schemaPath:"#/properties/chains/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.apisPlanned !== undefined){
let data10 = data.apisPlanned;
if(Array.isArray(data10)){
if(data10.length > 64){
const err42 = {instancePath:instancePath+"/apisPlanned",schemaPath:"#/properties/apisPlanned/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
let data11 = data10[i1];
if(typeof data11 === "string"){
if(func3(data11) > 100){
const err43 = {instancePath:instancePath+"/apisPlanned/" + i1,schemaPath:"#/properties/apisPlanned/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(!pattern9.test(data11)){
const err44 = {instancePath:instancePath+"/apisPlanned/" + i1,schemaPath:"#/properties/apisPlanned/items/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/apisPlanned/" + i1,schemaPath:"#/properties/apisPlanned/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/apisPlanned",schemaPath:"#/properties/apisPlanned/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.feeBps !== undefined){
let data12 = data.feeBps;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err47 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 100 || isNaN(data12)){
const err48 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data12 < 0 || isNaN(data12)){
const err49 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(!(formats0.validate(data12))){
const err50 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
}
else {
const err51 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

compiled.UpdateKeyRequest = validate15;
const schema20 = {"type":"object","additionalProperties":false,"minProperties":1,"properties":{"feeBps":{"type":"integer","format":"int32","minimum":0,"maximum":100},"payoutAddresses":{"$ref":"PayoutAddressesRequest"},"webhookUrl":{"type":"string","nullable":true,"format":"uri","pattern":"^https://","minLength":1,"maxLength":2048}},"$id":"UpdateKeyRequest"};
const schema21 = {"type":"object","additionalProperties":false,"minProperties":1,"properties":{"evm":{"type":"string","minLength":1,"maxLength":128},"solana":{"type":"string","minLength":1,"maxLength":128},"thorchain":{"type":"string","minLength":1,"maxLength":128,"pattern":"^thor1[a-z0-9]{38}$"}},"$id":"PayoutAddressesRequest"};
const pattern19 = new RegExp("^thor1[a-z0-9]{38}$", "u");
const pattern20 = new RegExp("^https://", "u");

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="UpdateKeyRequest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err0 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "feeBps") || (key0 === "payoutAddresses")) || (key0 === "webhookUrl"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.feeBps !== undefined){
let data0 = data.feeBps;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err2 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 100 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(formats0.validate(data0))){
const err5 = {instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.payoutAddresses !== undefined){
let data1 = data.payoutAddresses;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length < 1){
const err6 = {instancePath:instancePath+"/payoutAddresses",schemaPath:"PayoutAddressesRequest/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 in data1){
if(!(((key1 === "evm") || (key1 === "solana")) || (key1 === "thorchain"))){
const err7 = {instancePath:instancePath+"/payoutAddresses",schemaPath:"PayoutAddressesRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.evm !== undefined){
let data2 = data1.evm;
if(typeof data2 === "string"){
if(func3(data2) > 128){
const err8 = {instancePath:instancePath+"/payoutAddresses/evm",schemaPath:"PayoutAddressesRequest/properties/evm/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func3(data2) < 1){
const err9 = {instancePath:instancePath+"/payoutAddresses/evm",schemaPath:"PayoutAddressesRequest/properties/evm/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/payoutAddresses/evm",schemaPath:"PayoutAddressesRequest/properties/evm/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.solana !== undefined){
let data3 = data1.solana;
if(typeof data3 === "string"){
if(func3(data3) > 128){
const err11 = {instancePath:instancePath+"/payoutAddresses/solana",schemaPath:"PayoutAddressesRequest/properties/solana/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(func3(data3) < 1){
const err12 = {instancePath:instancePath+"/payoutAddresses/solana",schemaPath:"PayoutAddressesRequest/properties/solana/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/payoutAddresses/solana",schemaPath:"PayoutAddressesRequest/properties/solana/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data1.thorchain !== undefined){
let data4 = data1.thorchain;
if(typeof data4 === "string"){
if(func3(data4) > 128){
const err14 = {instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddressesRequest/properties/thorchain/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(func3(data4) < 1){
const err15 = {instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddressesRequest/properties/thorchain/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!pattern19.test(data4)){
const err16 = {instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddressesRequest/properties/thorchain/pattern",keyword:"pattern",params:{pattern: "^thor1[a-z0-9]{38}$"},message:"must match pattern \""+"^thor1[a-z0-9]{38}$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddressesRequest/properties/thorchain/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/payoutAddresses",schemaPath:"PayoutAddressesRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.webhookUrl !== undefined){
let data5 = data.webhookUrl;
if((typeof data5 !== "string") && (data5 !== null)){
const err19 = {instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(typeof data5 === "string"){
if(func3(data5) > 2048){
const err20 = {instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(func3(data5) < 1){
const err21 = {instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!pattern20.test(data5)){
const err22 = {instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/pattern",keyword:"pattern",params:{pattern: "^https://"},message:"must match pattern \""+"^https://"+"\""};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!(formats8(data5))){
const err23 = {instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
}
else {
const err24 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

compiled.quote = validate16;
const schema22 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"QuoteRequest"}},"$id":"bodies.quote"};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.quote" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
if(!(validate10(data.requestBody, {instancePath:instancePath+"/requestBody",parentData:data,parentDataProperty:"requestBody",rootData}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}

compiled.execute = validate18;
const schema23 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"ExecuteRequest"}},"$id":"bodies.execute"};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.execute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data0){
if(!(((key0 === "quoteToken") || (key0 === "destinationAddress")) || (key0 === "refundAddress"))){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err3 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func3(data1) < 1){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.destinationAddress !== undefined){
let data2 = data0.destinationAddress;
if(typeof data2 === "string"){
if(func3(data2) > 128){
const err6 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func3(data2) < 1){
const err7 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern1.test(data2)){
const err8 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data0.refundAddress !== undefined){
let data3 = data0.refundAddress;
if(typeof data3 === "string"){
if(func3(data3) > 128){
const err10 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func3(data3) < 1){
const err11 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!pattern1.test(data3)){
const err12 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

compiled.submitSignature = validate19;
const schema25 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"SubmitSignatureRequest"}},"$id":"bodies.submitSignature"};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.submitSignature" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.signature === undefined){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/required",keyword:"required",params:{missingProperty: "signature"},message:"must have required property '"+"signature"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data0){
if(!(((key0 === "quoteToken") || (key0 === "signature")) || (key0 === "approvalSignature"))){
const err3 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func3(data1) < 1){
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.signature !== undefined){
let data2 = data0.signature;
if(typeof data2 === "string"){
if(func3(data2) > 16384){
const err7 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern6.test(data2)){
const err8 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data0.approvalSignature !== undefined){
let data3 = data0.approvalSignature;
if(typeof data3 === "string"){
if(func3(data3) > 16384){
const err10 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern6.test(data3)){
const err11 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

compiled.submitTransaction = validate20;
const schema27 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"SubmitTransactionRequest"}},"$id":"bodies.submitTransaction"};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.submitTransaction" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.signedTransaction === undefined){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/required",keyword:"required",params:{missingProperty: "signedTransaction"},message:"must have required property '"+"signedTransaction"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data0){
if(!((key0 === "quoteToken") || (key0 === "signedTransaction"))){
const err3 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func3(data1) < 1){
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.signedTransaction !== undefined){
let data2 = data0.signedTransaction;
if(typeof data2 === "string"){
if(func3(data2) > 8192){
const err7 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/maxLength",keyword:"maxLength",params:{limit: 8192},message:"must NOT have more than 8192 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func3(data2) < 1){
const err8 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern8.test(data2)){
const err9 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z+/]+={0,2}$"},message:"must match pattern \""+"^[0-9A-Za-z+/]+={0,2}$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

compiled.x402Quote = validate21;
const schema29 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"QuoteRequest"}},"$id":"bodies.x402Quote"};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.x402Quote" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
if(!(validate10(data.requestBody, {instancePath:instancePath+"/requestBody",parentData:data,parentDataProperty:"requestBody",rootData}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

compiled.x402Execute = validate23;
const schema30 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"ExecuteRequest"}},"$id":"bodies.x402Execute"};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.x402Execute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data0){
if(!(((key0 === "quoteToken") || (key0 === "destinationAddress")) || (key0 === "refundAddress"))){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err3 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func3(data1) < 1){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"ExecuteRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.destinationAddress !== undefined){
let data2 = data0.destinationAddress;
if(typeof data2 === "string"){
if(func3(data2) > 128){
const err6 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func3(data2) < 1){
const err7 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern1.test(data2)){
const err8 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/requestBody/destinationAddress",schemaPath:"ExecuteRequest/properties/destinationAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data0.refundAddress !== undefined){
let data3 = data0.refundAddress;
if(typeof data3 === "string"){
if(func3(data3) > 128){
const err10 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func3(data3) < 1){
const err11 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!pattern1.test(data3)){
const err12 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/requestBody/refundAddress",schemaPath:"ExecuteRequest/properties/refundAddress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/requestBody",schemaPath:"ExecuteRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

compiled.x402SubmitSignature = validate24;
const schema32 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"SubmitSignatureRequest"}},"$id":"bodies.x402SubmitSignature"};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.x402SubmitSignature" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.signature === undefined){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/required",keyword:"required",params:{missingProperty: "signature"},message:"must have required property '"+"signature"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data0){
if(!(((key0 === "quoteToken") || (key0 === "signature")) || (key0 === "approvalSignature"))){
const err3 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func3(data1) < 1){
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitSignatureRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.signature !== undefined){
let data2 = data0.signature;
if(typeof data2 === "string"){
if(func3(data2) > 16384){
const err7 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern6.test(data2)){
const err8 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/requestBody/signature",schemaPath:"SubmitSignatureRequest/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data0.approvalSignature !== undefined){
let data3 = data0.approvalSignature;
if(typeof data3 === "string"){
if(func3(data3) > 16384){
const err10 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern6.test(data3)){
const err11 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]+$"},message:"must match pattern \""+"^0x[0-9a-fA-F]+$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/requestBody/approvalSignature",schemaPath:"SubmitSignatureRequest/properties/approvalSignature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitSignatureRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}

compiled.x402SubmitTransaction = validate25;
const schema34 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"SubmitTransactionRequest"}},"$id":"bodies.x402SubmitTransaction"};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.x402SubmitTransaction" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.quoteToken === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.signedTransaction === undefined){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/required",keyword:"required",params:{missingProperty: "signedTransaction"},message:"must have required property '"+"signedTransaction"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data0){
if(!((key0 === "quoteToken") || (key0 === "signedTransaction"))){
const err3 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.quoteToken !== undefined){
let data1 = data0.quoteToken;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err4 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func3(data1) < 1){
const err5 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/requestBody/quoteToken",schemaPath:"SubmitTransactionRequest/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.signedTransaction !== undefined){
let data2 = data0.signedTransaction;
if(typeof data2 === "string"){
if(func3(data2) > 8192){
const err7 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/maxLength",keyword:"maxLength",params:{limit: 8192},message:"must NOT have more than 8192 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func3(data2) < 1){
const err8 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern8.test(data2)){
const err9 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z+/]+={0,2}$"},message:"must match pattern \""+"^[0-9A-Za-z+/]+={0,2}$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/requestBody/signedTransaction",schemaPath:"SubmitTransactionRequest/properties/signedTransaction/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/requestBody",schemaPath:"SubmitTransactionRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}

compiled.createKey = validate26;
const schema36 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"CreateKeyRequest"}},"$id":"bodies.createKey"};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.createKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
let data0 = data.requestBody;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.email === undefined){
const err1 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.projectName === undefined){
const err2 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/required",keyword:"required",params:{missingProperty: "projectName"},message:"must have required property '"+"projectName"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.website === undefined){
const err3 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/required",keyword:"required",params:{missingProperty: "website"},message:"must have required property '"+"website"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.telegram === undefined){
const err4 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/required",keyword:"required",params:{missingProperty: "telegram"},message:"must have required property '"+"telegram"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0.twitter === undefined){
const err5 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/required",keyword:"required",params:{missingProperty: "twitter"},message:"must have required property '"+"twitter"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data0){
if(!(func2.call(schema19.properties, key0))){
const err6 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.email !== undefined){
let data1 = data0.email;
if(typeof data1 === "string"){
if(func3(data1) > 254){
const err7 = {instancePath:instancePath+"/requestBody/email",schemaPath:"CreateKeyRequest/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func3(data1) < 3){
const err8 = {instancePath:instancePath+"/requestBody/email",schemaPath:"CreateKeyRequest/properties/email/minLength",keyword:"minLength",params:{limit: 3},message:"must NOT have fewer than 3 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern9.test(data1)){
const err9 = {instancePath:instancePath+"/requestBody/email",schemaPath:"CreateKeyRequest/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!(formats6.test(data1))){
const err10 = {instancePath:instancePath+"/requestBody/email",schemaPath:"CreateKeyRequest/properties/email/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/requestBody/email",schemaPath:"CreateKeyRequest/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data0.projectName !== undefined){
let data2 = data0.projectName;
if(typeof data2 === "string"){
if(func3(data2) > 200){
const err12 = {instancePath:instancePath+"/requestBody/projectName",schemaPath:"CreateKeyRequest/properties/projectName/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func3(data2) < 1){
const err13 = {instancePath:instancePath+"/requestBody/projectName",schemaPath:"CreateKeyRequest/properties/projectName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern9.test(data2)){
const err14 = {instancePath:instancePath+"/requestBody/projectName",schemaPath:"CreateKeyRequest/properties/projectName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/requestBody/projectName",schemaPath:"CreateKeyRequest/properties/projectName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data0.website !== undefined){
let data3 = data0.website;
if(typeof data3 === "string"){
if(func3(data3) > 2048){
const err16 = {instancePath:instancePath+"/requestBody/website",schemaPath:"CreateKeyRequest/properties/website/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func3(data3) < 1){
const err17 = {instancePath:instancePath+"/requestBody/website",schemaPath:"CreateKeyRequest/properties/website/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!pattern9.test(data3)){
const err18 = {instancePath:instancePath+"/requestBody/website",schemaPath:"CreateKeyRequest/properties/website/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!(formats8(data3))){
const err19 = {instancePath:instancePath+"/requestBody/website",schemaPath:"CreateKeyRequest/properties/website/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/requestBody/website",schemaPath:"CreateKeyRequest/properties/website/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data0.telegram !== undefined){
let data4 = data0.telegram;
if(typeof data4 === "string"){
if(func3(data4) > 200){
const err21 = {instancePath:instancePath+"/requestBody/telegram",schemaPath:"CreateKeyRequest/properties/telegram/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(func3(data4) < 1){
const err22 = {instancePath:instancePath+"/requestBody/telegram",schemaPath:"CreateKeyRequest/properties/telegram/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!pattern9.test(data4)){
const err23 = {instancePath:instancePath+"/requestBody/telegram",schemaPath:"CreateKeyRequest/properties/telegram/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/requestBody/telegram",schemaPath:"CreateKeyRequest/properties/telegram/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data0.twitter !== undefined){
let data5 = data0.twitter;
if(typeof data5 === "string"){
if(func3(data5) > 200){
const err25 = {instancePath:instancePath+"/requestBody/twitter",schemaPath:"CreateKeyRequest/properties/twitter/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(func3(data5) < 1){
const err26 = {instancePath:instancePath+"/requestBody/twitter",schemaPath:"CreateKeyRequest/properties/twitter/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(!pattern9.test(data5)){
const err27 = {instancePath:instancePath+"/requestBody/twitter",schemaPath:"CreateKeyRequest/properties/twitter/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/requestBody/twitter",schemaPath:"CreateKeyRequest/properties/twitter/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data0.discord !== undefined){
let data6 = data0.discord;
if(typeof data6 === "string"){
if(func3(data6) > 200){
const err29 = {instancePath:instancePath+"/requestBody/discord",schemaPath:"CreateKeyRequest/properties/discord/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(!pattern9.test(data6)){
const err30 = {instancePath:instancePath+"/requestBody/discord",schemaPath:"CreateKeyRequest/properties/discord/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/requestBody/discord",schemaPath:"CreateKeyRequest/properties/discord/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data0.blurb !== undefined){
let data7 = data0.blurb;
if(typeof data7 === "string"){
if(func3(data7) > 2000){
const err32 = {instancePath:instancePath+"/requestBody/blurb",schemaPath:"CreateKeyRequest/properties/blurb/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(!pattern9.test(data7)){
const err33 = {instancePath:instancePath+"/requestBody/blurb",schemaPath:"CreateKeyRequest/properties/blurb/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/requestBody/blurb",schemaPath:"CreateKeyRequest/properties/blurb/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data0.category !== undefined){
let data8 = data0.category;
if(typeof data8 === "string"){
if(func3(data8) > 200){
const err35 = {instancePath:instancePath+"/requestBody/category",schemaPath:"CreateKeyRequest/properties/category/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(!pattern9.test(data8)){
const err36 = {instancePath:instancePath+"/requestBody/category",schemaPath:"CreateKeyRequest/properties/category/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/requestBody/category",schemaPath:"CreateKeyRequest/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data0.chains !== undefined){
let data9 = data0.chains;
if(Array.isArray(data9)){
if(data9.length > 64){
const err38 = {instancePath:instancePath+"/requestBody/chains",schemaPath:"CreateKeyRequest/properties/chains/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
if(typeof data10 === "string"){
if(func3(data10) > 100){
const err39 = {instancePath:instancePath+"/requestBody/chains/" + i0,schemaPath:"CreateKeyRequest/properties/chains/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(!pattern9.test(data10)){
const err40 = {instancePath:instancePath+"/requestBody/chains/" + i0,schemaPath:"CreateKeyRequest/properties/chains/items/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/requestBody/chains/" + i0,schemaPath:"CreateKeyRequest/properties/chains/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/requestBody/chains",schemaPath:"CreateKeyRequest/properties/chains/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data0.apisPlanned !== undefined){
let data11 = data0.apisPlanned;
if(Array.isArray(data11)){
if(data11.length > 64){
const err43 = {instancePath:instancePath+"/requestBody/apisPlanned",schemaPath:"CreateKeyRequest/properties/apisPlanned/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
if(typeof data12 === "string"){
if(func3(data12) > 100){
const err44 = {instancePath:instancePath+"/requestBody/apisPlanned/" + i1,schemaPath:"CreateKeyRequest/properties/apisPlanned/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!pattern9.test(data12)){
const err45 = {instancePath:instancePath+"/requestBody/apisPlanned/" + i1,schemaPath:"CreateKeyRequest/properties/apisPlanned/items/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]*$"+"\""};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/requestBody/apisPlanned/" + i1,schemaPath:"CreateKeyRequest/properties/apisPlanned/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath:instancePath+"/requestBody/apisPlanned",schemaPath:"CreateKeyRequest/properties/apisPlanned/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data0.feeBps !== undefined){
let data13 = data0.feeBps;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err48 = {instancePath:instancePath+"/requestBody/feeBps",schemaPath:"CreateKeyRequest/properties/feeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 100 || isNaN(data13)){
const err49 = {instancePath:instancePath+"/requestBody/feeBps",schemaPath:"CreateKeyRequest/properties/feeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(data13 < 0 || isNaN(data13)){
const err50 = {instancePath:instancePath+"/requestBody/feeBps",schemaPath:"CreateKeyRequest/properties/feeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(!(formats0.validate(data13))){
const err51 = {instancePath:instancePath+"/requestBody/feeBps",schemaPath:"CreateKeyRequest/properties/feeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
}
else {
const err52 = {instancePath:instancePath+"/requestBody",schemaPath:"CreateKeyRequest/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

compiled.updateKey = validate27;
const schema38 = {"type":"object","required":["requestBody"],"properties":{"requestBody":{"$ref":"UpdateKeyRequest"}},"$id":"bodies.updateKey"};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="bodies.updateKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.requestBody === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "requestBody"},message:"must have required property '"+"requestBody"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.requestBody !== undefined){
if(!(validate15(data.requestBody, {instancePath:instancePath+"/requestBody",parentData:data,parentDataProperty:"requestBody",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
return compiled;
})();

const params = (() => {
const compiled = {};
compiled.quote = validate10;
const schema11 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.quote"};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.quote" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

compiled.execute = validate11;
const schema12 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.execute"};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.execute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

compiled.submitSignature = validate12;
const schema13 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.submitSignature"};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.submitSignature" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

compiled.submitTransaction = validate13;
const schema14 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.submitTransaction"};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.submitTransaction" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

compiled.status = validate14;
const schema15 = {"type":"object","required":["query"],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":false,"required":["quoteToken","ref"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"ref":{"type":"string","maxLength":16384}}}},"$id":"params.status"};
const func2 = require("ajv/dist/runtime/ucs2length").default;

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.status" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.query === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err1 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.quoteToken === undefined){
const err2 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.ref === undefined){
const err3 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data1){
if(!((key0 === "quoteToken") || (key0 === "ref"))){
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.quoteToken !== undefined){
let data2 = data1.quoteToken;
if(typeof data2 !== "string"){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data2;
}
else if(data2 === null){
coerced0 = "";
}
else {
const err5 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1["quoteToken"] = coerced0;
}
}
}
if(typeof data2 === "string"){
if(func2(data2) > 4096){
const err6 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func2(data2) < 1){
const err7 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data1.ref !== undefined){
let data3 = data1.ref;
if(typeof data3 !== "string"){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data3;
}
else if(data3 === null){
coerced1 = "";
}
else {
const err8 = {instancePath:instancePath+"/query/ref",schemaPath:"#/properties/query/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data1 !== undefined){
data1["ref"] = coerced1;
}
}
}
if(typeof data3 === "string"){
if(func2(data3) > 16384){
const err9 = {instancePath:instancePath+"/query/ref",schemaPath:"#/properties/query/properties/ref/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

compiled.x402Quote = validate15;
const schema16 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.x402Quote"};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.x402Quote" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

compiled.x402Execute = validate16;
const schema17 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.x402Execute"};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.x402Execute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}

compiled.x402SubmitSignature = validate17;
const schema18 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.x402SubmitSignature"};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.x402SubmitSignature" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}

compiled.x402SubmitTransaction = validate18;
const schema19 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.x402SubmitTransaction"};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.x402SubmitTransaction" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

compiled.x402Status = validate19;
const schema20 = {"type":"object","required":["query"],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":false,"required":["quoteToken","ref"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"ref":{"type":"string","maxLength":16384}}}},"$id":"params.x402Status"};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.x402Status" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.query === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err1 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.quoteToken === undefined){
const err2 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "quoteToken"},message:"must have required property '"+"quoteToken"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.ref === undefined){
const err3 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data1){
if(!((key0 === "quoteToken") || (key0 === "ref"))){
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.quoteToken !== undefined){
let data2 = data1.quoteToken;
if(typeof data2 !== "string"){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data2;
}
else if(data2 === null){
coerced0 = "";
}
else {
const err5 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1["quoteToken"] = coerced0;
}
}
}
if(typeof data2 === "string"){
if(func2(data2) > 4096){
const err6 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func2(data2) < 1){
const err7 = {instancePath:instancePath+"/query/quoteToken",schemaPath:"#/properties/query/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data1.ref !== undefined){
let data3 = data1.ref;
if(typeof data3 !== "string"){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data3;
}
else if(data3 === null){
coerced1 = "";
}
else {
const err8 = {instancePath:instancePath+"/query/ref",schemaPath:"#/properties/query/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data1 !== undefined){
data1["ref"] = coerced1;
}
}
}
if(typeof data3 === "string"){
if(func2(data3) > 16384){
const err9 = {instancePath:instancePath+"/query/ref",schemaPath:"#/properties/query/properties/ref/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

compiled.resolveToken = validate20;
const schema21 = {"type":"object","required":["query"],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":false,"required":["chainId","address"],"properties":{"chainId":{"$ref":"ChainId"},"address":{"type":"string","minLength":1,"maxLength":128}}}},"$id":"params.resolveToken"};
const schema22 = {"type":"integer","format":"int32","enum":[1,10,56,130,137,324,480,999,143,8453,42161,59144,43114,4663,-1,-2],"$id":"ChainId"};
const formats0 = require("ajv-formats/dist/formats").fullFormats.int32;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.resolveToken" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.query === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err1 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.chainId === undefined){
const err2 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "chainId"},message:"must have required property '"+"chainId"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.address === undefined){
const err3 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "address"},message:"must have required property '"+"address"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data1){
if(!((key0 === "chainId") || (key0 === "address"))){
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.chainId !== undefined){
let data2 = data1.chainId;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 === "boolean" || data2 === null
              || (dataType0 === "string" && data2 && data2 == +data2 && !(data2 % 1))){
coerced0 = +data2;
}
else {
const err5 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1["chainId"] = coerced0;
}
}
}
if(!((((((((((((((((data2 === 1) || (data2 === 10)) || (data2 === 56)) || (data2 === 130)) || (data2 === 137)) || (data2 === 324)) || (data2 === 480)) || (data2 === 999)) || (data2 === 143)) || (data2 === 8453)) || (data2 === 42161)) || (data2 === 59144)) || (data2 === 43114)) || (data2 === 4663)) || (data2 === -1)) || (data2 === -2))){
const err6 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema22.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats0.validate(data2))){
const err7 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data1.address !== undefined){
let data3 = data1.address;
if(typeof data3 !== "string"){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data3;
}
else if(data3 === null){
coerced1 = "";
}
else {
const err8 = {instancePath:instancePath+"/query/address",schemaPath:"#/properties/query/properties/address/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data1 !== undefined){
data1["address"] = coerced1;
}
}
}
if(typeof data3 === "string"){
if(func2(data3) > 128){
const err9 = {instancePath:instancePath+"/query/address",schemaPath:"#/properties/query/properties/address/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func2(data3) < 1){
const err10 = {instancePath:instancePath+"/query/address",schemaPath:"#/properties/query/properties/address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

compiled.btcCoverage = validate21;
const schema23 = {"type":"object","required":["query"],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":false,"required":["chainId"],"properties":{"chainId":{"$ref":"ChainId"}}}},"$id":"params.btcCoverage"};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.btcCoverage" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.query === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err1 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.chainId === undefined){
const err2 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "chainId"},message:"must have required property '"+"chainId"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data1){
if(!(key0 === "chainId")){
const err3 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data1.chainId !== undefined){
let data2 = data1.chainId;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 === "boolean" || data2 === null
              || (dataType0 === "string" && data2 && data2 == +data2 && !(data2 % 1))){
coerced0 = +data2;
}
else {
const err4 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1["chainId"] = coerced0;
}
}
}
if(!((((((((((((((((data2 === 1) || (data2 === 10)) || (data2 === 56)) || (data2 === 130)) || (data2 === 137)) || (data2 === 324)) || (data2 === 480)) || (data2 === 999)) || (data2 === 143)) || (data2 === 8453)) || (data2 === 42161)) || (data2 === 59144)) || (data2 === 43114)) || (data2 === 4663)) || (data2 === -1)) || (data2 === -2))){
const err5 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema22.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats0.validate(data2))){
const err6 = {instancePath:instancePath+"/query/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

compiled.chains = validate22;
const schema25 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.chains"};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.chains" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

compiled.createKey = validate23;
const schema26 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.createKey"};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.createKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

compiled.updateKey = validate24;
const schema27 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.updateKey"};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.updateKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}

compiled.readKey = validate25;
const schema28 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.readKey"};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.readKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}

compiled.keyEvents = validate26;
const schema29 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":false,"required":[],"properties":{"after":{"type":"string","minLength":1,"maxLength":15,"pattern":"^[0-9]+$"},"limit":{"type":"integer","format":"int32","minimum":1,"maximum":200}}}},"$id":"params.keyEvents"};
const pattern0 = new RegExp("^[0-9]+$", "u");

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.keyEvents" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
if(!((key0 === "after") || (key0 === "limit"))){
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data1.after !== undefined){
let data2 = data1.after;
if(typeof data2 !== "string"){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data2;
}
else if(data2 === null){
coerced0 = "";
}
else {
const err2 = {instancePath:instancePath+"/query/after",schemaPath:"#/properties/query/properties/after/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1["after"] = coerced0;
}
}
}
if(typeof data2 === "string"){
if(func2(data2) > 15){
const err3 = {instancePath:instancePath+"/query/after",schemaPath:"#/properties/query/properties/after/maxLength",keyword:"maxLength",params:{limit: 15},message:"must NOT have more than 15 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func2(data2) < 1){
const err4 = {instancePath:instancePath+"/query/after",schemaPath:"#/properties/query/properties/after/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!pattern0.test(data2)){
const err5 = {instancePath:instancePath+"/query/after",schemaPath:"#/properties/query/properties/after/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"},message:"must match pattern \""+"^[0-9]+$"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data1.limit !== undefined){
let data3 = data1.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 === "boolean" || data3 === null
              || (dataType1 === "string" && data3 && data3 == +data3 && !(data3 % 1))){
coerced1 = +data3;
}
else {
const err6 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data1 !== undefined){
data1["limit"] = coerced1;
}
}
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 200 || isNaN(data3)){
const err7 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(formats0.validate(data3))){
const err9 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

compiled.webhookTest = validate27;
const schema30 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.webhookTest"};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.webhookTest" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}

compiled.health = validate28;
const schema31 = {"type":"object","required":[],"properties":{"path":{"type":"object","additionalProperties":true,"required":[],"properties":{}},"query":{"type":"object","additionalProperties":true,"required":[],"properties":{}}},"$id":"params.health"};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="params.health" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}
return compiled;
})();

const responseBodies = (() => {
const compiled = {};
compiled.QuoteResponse = validate10;
const schema11 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"Quote"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"QuoteResponse"};
const schema12 = {"type":"object","required":["quoteToken","venue","routeType","input","output","fee","executable","slippage","gas","venueFee","expectedProof","estimatedTimeSeconds","estimatedTimeIsGuess","expiresAt"],"properties":{"quoteToken":{"type":"string","minLength":1,"maxLength":4096},"venue":{"$ref":"VenueRef"},"routeType":{"$ref":"RouteType"},"input":{"$ref":"TokenAmount"},"output":{"$ref":"TokenAmount"},"fee":{"$ref":"Fee"},"executable":{"type":"boolean"},"slippage":{"type":"object","nullable":true,"required":["bps","isFirm","guaranteedMin"],"properties":{"bps":{"type":"integer","format":"int32","minimum":0,"maximum":10000},"isFirm":{"type":"boolean"},"guaranteedMin":{"$ref":"Amount"}},"additionalProperties":false},"gas":{"type":"object","nullable":true,"required":["native","nativeSymbol","usd","estimated"],"properties":{"native":{"$ref":"AmountOrZero"},"nativeSymbol":{"type":"string","minLength":1,"maxLength":16},"usd":{"type":"string","nullable":true,"maxLength":40,"pattern":"^(0|[1-9][0-9]*)(\\.[0-9]+)?$"},"estimated":{"type":"boolean"}},"additionalProperties":false},"venueFee":{"type":"object","nullable":true,"required":["native","nativeSymbol"],"properties":{"native":{"$ref":"Amount"},"nativeSymbol":{"type":"string","minLength":1,"maxLength":16}},"additionalProperties":false},"depositAmount":{"$ref":"DepositRange"},"expectedProof":{"$ref":"Proof"},"approval":{"$ref":"Approval"},"estimatedTimeSeconds":{"type":"number","format":"double","minimum":0,"maximum":604800},"estimatedTimeIsGuess":{"type":"boolean"},"expiresAt":{"type":"number","format":"double","multipleOf":1,"minimum":0,"maximum":9007199254740991}},"additionalProperties":false,"$id":"Quote"};
const schema15 = {"type":"string","enum":["EVM_SAME_CHAIN","SOLANA_SAME_CHAIN","EVM_CROSS_CHAIN","CROSS_ECOSYSTEM","NATIVE_BITCOIN"],"$id":"RouteType"};
const schema19 = {"type":"string","maxLength":78,"pattern":"^[1-9][0-9]{0,77}$","$id":"Amount"};
const schema21 = {"type":"string","maxLength":78,"pattern":"^(0|[1-9][0-9]{0,77})$","$id":"AmountOrZero"};
const func2 = Object.prototype.hasOwnProperty;
const func3 = require("ajv/dist/runtime/ucs2length").default;
const schema13 = {"type":"object","required":["id","name"],"properties":{"id":{"$ref":"VenueId"},"name":{"type":"string","minLength":1,"maxLength":64}},"additionalProperties":false,"$id":"VenueRef"};
const schema14 = {"type":"string","minLength":1,"maxLength":64,"pattern":"^[a-z0-9-]+$","$id":"VenueId"};
const pattern0 = new RegExp("^[a-z0-9-]+$", "u");

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="VenueRef" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))){
validate12.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "id") || (key0 === "name"))){
validate12.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 64){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data0)){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate12.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate12.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}

const schema16 = {"type":"object","required":["token","amount"],"properties":{"token":{"$ref":"Token"},"amount":{"$ref":"Amount"}},"additionalProperties":false,"$id":"TokenAmount"};
const schema17 = {"type":"object","required":["chainId","address","symbol","name","decimals","isNative"],"properties":{"chainId":{"$ref":"ChainId"},"address":{"type":"string","minLength":1,"maxLength":128},"symbol":{"type":"string","maxLength":128},"name":{"type":"string","maxLength":256},"decimals":{"type":"integer","format":"int32","minimum":0,"maximum":255},"isNative":{"type":"boolean"}},"additionalProperties":false,"$id":"Token"};
const schema18 = {"type":"integer","format":"int32","enum":[1,10,56,130,137,324,480,999,143,8453,42161,59144,43114,4663,-1,-2],"$id":"ChainId"};
const formats0 = require("ajv-formats/dist/formats").fullFormats.int32;

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Token" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.chainId === undefined) && (missing0 = "chainId")) || ((data.address === undefined) && (missing0 = "address"))) || ((data.symbol === undefined) && (missing0 = "symbol"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.decimals === undefined) && (missing0 = "decimals"))) || ((data.isNative === undefined) && (missing0 = "isNative"))){
validate15.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "chainId") || (key0 === "address")) || (key0 === "symbol")) || (key0 === "name")) || (key0 === "decimals")) || (key0 === "isNative"))){
validate15.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.chainId !== undefined){
let data0 = data.chainId;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate15.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data0 === 1) || (data0 === 10)) || (data0 === 56)) || (data0 === 130)) || (data0 === 137)) || (data0 === 324)) || (data0 === 480)) || (data0 === 999)) || (data0 === 143)) || (data0 === 8453)) || (data0 === 42161)) || (data0 === 59144)) || (data0 === 43114)) || (data0 === 4663)) || (data0 === -1)) || (data0 === -2))){
validate15.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats0.validate(data0))){
validate15.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.address !== undefined){
let data1 = data.address;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 128){
validate15.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate15.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate15.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.symbol !== undefined){
let data2 = data.symbol;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 128){
validate15.errors = [{instancePath:instancePath+"/symbol",schemaPath:"#/properties/symbol/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate15.errors = [{instancePath:instancePath+"/symbol",schemaPath:"#/properties/symbol/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data3 = data.name;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data3 === "string"){
if(func3(data3) > 256){
validate15.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
else {
validate15.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.decimals !== undefined){
let data4 = data.decimals;
const _errs11 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate15.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs11){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 255 || isNaN(data4)){
validate15.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/maximum",keyword:"maximum",params:{comparison: "<=", limit: 255},message:"must be <= 255"}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate15.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data4))){
validate15.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isNative !== undefined){
const _errs13 = errors;
if(typeof data.isNative !== "boolean"){
validate15.errors = [{instancePath:instancePath+"/isNative",schemaPath:"#/properties/isNative/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate15.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate15.errors = vErrors;
return errors === 0;
}

const pattern1 = new RegExp("^[1-9][0-9]{0,77}$", "u");

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="TokenAmount" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.token === undefined) && (missing0 = "token")) || ((data.amount === undefined) && (missing0 = "amount"))){
validate14.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "token") || (key0 === "amount"))){
validate14.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.token !== undefined){
const _errs2 = errors;
if(!(validate15(data.token, {instancePath:instancePath+"/token",parentData:data,parentDataProperty:"token",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.amount !== undefined){
let data1 = data.amount;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func3(data1) > 78){
validate14.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data1)){
validate14.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}

const schema20 = {"type":"object","required":["bps","amount","token"],"properties":{"bps":{"type":"integer","format":"int32","minimum":0,"maximum":10000},"amount":{"$ref":"AmountOrZero"},"token":{"$ref":"Token"}},"additionalProperties":false,"$id":"Fee"};
const pattern2 = new RegExp("^(0|[1-9][0-9]{0,77})$", "u");

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Fee" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.bps === undefined) && (missing0 = "bps")) || ((data.amount === undefined) && (missing0 = "amount"))) || ((data.token === undefined) && (missing0 = "token"))){
validate19.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "bps") || (key0 === "amount")) || (key0 === "token"))){
validate19.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.bps !== undefined){
let data0 = data.bps;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate19.errors = [{instancePath:instancePath+"/bps",schemaPath:"#/properties/bps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 10000 || isNaN(data0)){
validate19.errors = [{instancePath:instancePath+"/bps",schemaPath:"#/properties/bps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate19.errors = [{instancePath:instancePath+"/bps",schemaPath:"#/properties/bps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data0))){
validate19.errors = [{instancePath:instancePath+"/bps",schemaPath:"#/properties/bps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.amount !== undefined){
let data1 = data.amount;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 78){
validate19.errors = [{instancePath:instancePath+"/amount",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data1)){
validate19.errors = [{instancePath:instancePath+"/amount",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/amount",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
const _errs7 = errors;
if(!(validate15(data.token, {instancePath:instancePath+"/token",parentData:data,parentDataProperty:"token",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate19.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate19.errors = vErrors;
return errors === 0;
}

const schema25 = {"type":"object","required":["min","max"],"properties":{"min":{"$ref":"Amount"},"max":{"$ref":"Amount"}},"additionalProperties":false,"$id":"DepositRange"};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="DepositRange" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.min === undefined) && (missing0 = "min")) || ((data.max === undefined) && (missing0 = "max"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "min") || (key0 === "max"))){
validate22.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.min !== undefined){
let data0 = data.min;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 78){
validate22.errors = [{instancePath:instancePath+"/min",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data0)){
validate22.errors = [{instancePath:instancePath+"/min",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/min",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max !== undefined){
let data1 = data.max;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(func3(data1) > 78){
validate22.errors = [{instancePath:instancePath+"/max",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data1)){
validate22.errors = [{instancePath:instancePath+"/max",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/max",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}

const schema28 = {"type":"object","required":["recipient","minimum","refund"],"properties":{"recipient":{"$ref":"Assurance"},"minimum":{"$ref":"Assurance"},"refund":{"$ref":"Assurance"}},"additionalProperties":false,"$id":"Proof"};
const schema29 = {"type":"string","enum":["proved","taken-on-trust","not-applicable"],"$id":"Assurance"};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Proof" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.recipient === undefined) && (missing0 = "recipient")) || ((data.minimum === undefined) && (missing0 = "minimum"))) || ((data.refund === undefined) && (missing0 = "refund"))){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "recipient") || (key0 === "minimum")) || (key0 === "refund"))){
validate24.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.recipient !== undefined){
let data0 = data.recipient;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate24.errors = [{instancePath:instancePath+"/recipient",schemaPath:"Assurance/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "proved") || (data0 === "taken-on-trust")) || (data0 === "not-applicable"))){
validate24.errors = [{instancePath:instancePath+"/recipient",schemaPath:"Assurance/enum",keyword:"enum",params:{allowedValues: schema29.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.minimum !== undefined){
let data1 = data.minimum;
const _errs5 = errors;
if(typeof data1 !== "string"){
validate24.errors = [{instancePath:instancePath+"/minimum",schemaPath:"Assurance/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data1 === "proved") || (data1 === "taken-on-trust")) || (data1 === "not-applicable"))){
validate24.errors = [{instancePath:instancePath+"/minimum",schemaPath:"Assurance/enum",keyword:"enum",params:{allowedValues: schema29.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refund !== undefined){
let data2 = data.refund;
const _errs8 = errors;
if(typeof data2 !== "string"){
validate24.errors = [{instancePath:instancePath+"/refund",schemaPath:"Assurance/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data2 === "proved") || (data2 === "taken-on-trust")) || (data2 === "not-applicable"))){
validate24.errors = [{instancePath:instancePath+"/refund",schemaPath:"Assurance/enum",keyword:"enum",params:{allowedValues: schema29.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}

const schema32 = {"type":"object","required":["token","spender","amount","transaction"],"properties":{"token":{"$ref":"EvmAddress"},"spender":{"$ref":"EvmAddress"},"amount":{"$ref":"Amount"},"transaction":{"$ref":"ApprovalTransaction"},"reset":{"$ref":"ApprovalTransaction"}},"additionalProperties":false,"$id":"Approval"};
const schema33 = {"type":"string","maxLength":42,"pattern":"^0x[0-9a-fA-F]{40}$","$id":"EvmAddress"};
const pattern9 = new RegExp("^0x[0-9a-fA-F]{40}$", "u");
const schema36 = {"type":"object","required":["to","data","value","chainId"],"properties":{"to":{"$ref":"EvmAddress"},"data":{"type":"string","maxLength":1024,"pattern":"^0x([0-9a-fA-F]{2})*$"},"value":{"$ref":"AmountOrZero"},"chainId":{"$ref":"ChainId"}},"additionalProperties":false,"$id":"ApprovalTransaction"};
const pattern13 = new RegExp("^0x([0-9a-fA-F]{2})*$", "u");

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ApprovalTransaction" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.to === undefined) && (missing0 = "to")) || ((data.data === undefined) && (missing0 = "data"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.chainId === undefined) && (missing0 = "chainId"))){
validate27.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "to") || (key0 === "data")) || (key0 === "value")) || (key0 === "chainId"))){
validate27.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.to !== undefined){
let data0 = data.to;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 42){
validate27.errors = [{instancePath:instancePath+"/to",schemaPath:"EvmAddress/maxLength",keyword:"maxLength",params:{limit: 42},message:"must NOT have more than 42 characters"}];
return false;
}
else {
if(!pattern9.test(data0)){
validate27.errors = [{instancePath:instancePath+"/to",schemaPath:"EvmAddress/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
}
else {
validate27.errors = [{instancePath:instancePath+"/to",schemaPath:"EvmAddress/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data1 = data.data;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate27.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern13.test(data1)){
validate27.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/pattern",keyword:"pattern",params:{pattern: "^0x([0-9a-fA-F]{2})*$"},message:"must match pattern \""+"^0x([0-9a-fA-F]{2})*$"+"\""}];
return false;
}
}
}
else {
validate27.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data2 = data.value;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func3(data2) > 78){
validate27.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data2)){
validate27.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate27.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data3 = data.chainId;
const _errs10 = errors;
const _errs11 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate27.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data3 === 1) || (data3 === 10)) || (data3 === 56)) || (data3 === 130)) || (data3 === 137)) || (data3 === 324)) || (data3 === 480)) || (data3 === 999)) || (data3 === 143)) || (data3 === 8453)) || (data3 === 42161)) || (data3 === 59144)) || (data3 === 43114)) || (data3 === 4663)) || (data3 === -1)) || (data3 === -2))){
validate27.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs11){
if((typeof data3 == "number") && (isFinite(data3))){
if(!(formats0.validate(data3))){
validate27.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}


function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Approval" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.token === undefined) && (missing0 = "token")) || ((data.spender === undefined) && (missing0 = "spender"))) || ((data.amount === undefined) && (missing0 = "amount"))) || ((data.transaction === undefined) && (missing0 = "transaction"))){
validate26.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "token") || (key0 === "spender")) || (key0 === "amount")) || (key0 === "transaction")) || (key0 === "reset"))){
validate26.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.token !== undefined){
let data0 = data.token;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 42){
validate26.errors = [{instancePath:instancePath+"/token",schemaPath:"EvmAddress/maxLength",keyword:"maxLength",params:{limit: 42},message:"must NOT have more than 42 characters"}];
return false;
}
else {
if(!pattern9.test(data0)){
validate26.errors = [{instancePath:instancePath+"/token",schemaPath:"EvmAddress/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/token",schemaPath:"EvmAddress/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.spender !== undefined){
let data1 = data.spender;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(func3(data1) > 42){
validate26.errors = [{instancePath:instancePath+"/spender",schemaPath:"EvmAddress/maxLength",keyword:"maxLength",params:{limit: 42},message:"must NOT have more than 42 characters"}];
return false;
}
else {
if(!pattern9.test(data1)){
validate26.errors = [{instancePath:instancePath+"/spender",schemaPath:"EvmAddress/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/spender",schemaPath:"EvmAddress/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.amount !== undefined){
let data2 = data.amount;
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data2 === "string"){
if(func3(data2) > 78){
validate26.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data2)){
validate26.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transaction !== undefined){
const _errs11 = errors;
if(!(validate27(data.transaction, {instancePath:instancePath+"/transaction",parentData:data,parentDataProperty:"transaction",rootData}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reset !== undefined){
const _errs12 = errors;
if(!(validate27(data.reset, {instancePath:instancePath+"/reset",parentData:data,parentDataProperty:"reset",rootData}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate26.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate26.errors = vErrors;
return errors === 0;
}

const formats10 = require("ajv-formats/dist/formats").fullFormats.double;
const pattern5 = new RegExp("^(0|[1-9][0-9]*)(\\.[0-9]+)?$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Quote" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((data.quoteToken === undefined) && (missing0 = "quoteToken")) || ((data.venue === undefined) && (missing0 = "venue"))) || ((data.routeType === undefined) && (missing0 = "routeType"))) || ((data.input === undefined) && (missing0 = "input"))) || ((data.output === undefined) && (missing0 = "output"))) || ((data.fee === undefined) && (missing0 = "fee"))) || ((data.executable === undefined) && (missing0 = "executable"))) || ((data.slippage === undefined) && (missing0 = "slippage"))) || ((data.gas === undefined) && (missing0 = "gas"))) || ((data.venueFee === undefined) && (missing0 = "venueFee"))) || ((data.expectedProof === undefined) && (missing0 = "expectedProof"))) || ((data.estimatedTimeSeconds === undefined) && (missing0 = "estimatedTimeSeconds"))) || ((data.estimatedTimeIsGuess === undefined) && (missing0 = "estimatedTimeIsGuess"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema12.properties, key0))){
validate11.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.quoteToken !== undefined){
let data0 = data.quoteToken;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 4096){
validate11.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate11.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venue !== undefined){
const _errs4 = errors;
if(!(validate12(data.venue, {instancePath:instancePath+"/venue",parentData:data,parentDataProperty:"venue",rootData}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.routeType !== undefined){
let data2 = data.routeType;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate11.errors = [{instancePath:instancePath+"/routeType",schemaPath:"RouteType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((data2 === "EVM_SAME_CHAIN") || (data2 === "SOLANA_SAME_CHAIN")) || (data2 === "EVM_CROSS_CHAIN")) || (data2 === "CROSS_ECOSYSTEM")) || (data2 === "NATIVE_BITCOIN"))){
validate11.errors = [{instancePath:instancePath+"/routeType",schemaPath:"RouteType/enum",keyword:"enum",params:{allowedValues: schema15.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input !== undefined){
const _errs8 = errors;
if(!(validate14(data.input, {instancePath:instancePath+"/input",parentData:data,parentDataProperty:"input",rootData}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.output !== undefined){
const _errs9 = errors;
if(!(validate14(data.output, {instancePath:instancePath+"/output",parentData:data,parentDataProperty:"output",rootData}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fee !== undefined){
const _errs10 = errors;
if(!(validate19(data.fee, {instancePath:instancePath+"/fee",parentData:data,parentDataProperty:"fee",rootData}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.executable !== undefined){
const _errs11 = errors;
if(typeof data.executable !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/executable",schemaPath:"#/properties/executable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.slippage !== undefined){
let data7 = data.slippage;
const _errs13 = errors;
if((!(data7 && typeof data7 == "object" && !Array.isArray(data7))) && (data7 !== null)){
validate11.errors = [{instancePath:instancePath+"/slippage",schemaPath:"#/properties/slippage/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
if(errors === _errs13){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if((((data7.bps === undefined) && (missing1 = "bps")) || ((data7.isFirm === undefined) && (missing1 = "isFirm"))) || ((data7.guaranteedMin === undefined) && (missing1 = "guaranteedMin"))){
validate11.errors = [{instancePath:instancePath+"/slippage",schemaPath:"#/properties/slippage/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs16 = errors;
for(const key1 in data7){
if(!(((key1 === "bps") || (key1 === "isFirm")) || (key1 === "guaranteedMin"))){
validate11.errors = [{instancePath:instancePath+"/slippage",schemaPath:"#/properties/slippage/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs16 === errors){
if(data7.bps !== undefined){
let data8 = data7.bps;
const _errs17 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate11.errors = [{instancePath:instancePath+"/slippage/bps",schemaPath:"#/properties/slippage/properties/bps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 10000 || isNaN(data8)){
validate11.errors = [{instancePath:instancePath+"/slippage/bps",schemaPath:"#/properties/slippage/properties/bps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate11.errors = [{instancePath:instancePath+"/slippage/bps",schemaPath:"#/properties/slippage/properties/bps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data8))){
validate11.errors = [{instancePath:instancePath+"/slippage/bps",schemaPath:"#/properties/slippage/properties/bps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid2 = _errs17 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data7.isFirm !== undefined){
const _errs19 = errors;
if(typeof data7.isFirm !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/slippage/isFirm",schemaPath:"#/properties/slippage/properties/isFirm/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid2 = _errs19 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data7.guaranteedMin !== undefined){
let data10 = data7.guaranteedMin;
const _errs21 = errors;
const _errs22 = errors;
if(errors === _errs22){
if(typeof data10 === "string"){
if(func3(data10) > 78){
validate11.errors = [{instancePath:instancePath+"/slippage/guaranteedMin",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data10)){
validate11.errors = [{instancePath:instancePath+"/slippage/guaranteedMin",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/slippage/guaranteedMin",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs21 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gas !== undefined){
let data11 = data.gas;
const _errs24 = errors;
if((!(data11 && typeof data11 == "object" && !Array.isArray(data11))) && (data11 !== null)){
validate11.errors = [{instancePath:instancePath+"/gas",schemaPath:"#/properties/gas/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
if(errors === _errs24){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing2;
if(((((data11.native === undefined) && (missing2 = "native")) || ((data11.nativeSymbol === undefined) && (missing2 = "nativeSymbol"))) || ((data11.usd === undefined) && (missing2 = "usd"))) || ((data11.estimated === undefined) && (missing2 = "estimated"))){
validate11.errors = [{instancePath:instancePath+"/gas",schemaPath:"#/properties/gas/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs27 = errors;
for(const key2 in data11){
if(!((((key2 === "native") || (key2 === "nativeSymbol")) || (key2 === "usd")) || (key2 === "estimated"))){
validate11.errors = [{instancePath:instancePath+"/gas",schemaPath:"#/properties/gas/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs27 === errors){
if(data11.native !== undefined){
let data12 = data11.native;
const _errs28 = errors;
const _errs29 = errors;
if(errors === _errs29){
if(typeof data12 === "string"){
if(func3(data12) > 78){
validate11.errors = [{instancePath:instancePath+"/gas/native",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data12)){
validate11.errors = [{instancePath:instancePath+"/gas/native",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gas/native",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs28 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data11.nativeSymbol !== undefined){
let data13 = data11.nativeSymbol;
const _errs31 = errors;
if(errors === _errs31){
if(typeof data13 === "string"){
if(func3(data13) > 16){
validate11.errors = [{instancePath:instancePath+"/gas/nativeSymbol",schemaPath:"#/properties/gas/properties/nativeSymbol/maxLength",keyword:"maxLength",params:{limit: 16},message:"must NOT have more than 16 characters"}];
return false;
}
else {
if(func3(data13) < 1){
validate11.errors = [{instancePath:instancePath+"/gas/nativeSymbol",schemaPath:"#/properties/gas/properties/nativeSymbol/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gas/nativeSymbol",schemaPath:"#/properties/gas/properties/nativeSymbol/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs31 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data11.usd !== undefined){
let data14 = data11.usd;
const _errs33 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate11.errors = [{instancePath:instancePath+"/gas/usd",schemaPath:"#/properties/gas/properties/usd/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs33){
if(typeof data14 === "string"){
if(func3(data14) > 40){
validate11.errors = [{instancePath:instancePath+"/gas/usd",schemaPath:"#/properties/gas/properties/usd/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters"}];
return false;
}
else {
if(!pattern5.test(data14)){
validate11.errors = [{instancePath:instancePath+"/gas/usd",schemaPath:"#/properties/gas/properties/usd/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)(\\.[0-9]+)?$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)(\\.[0-9]+)?$"+"\""}];
return false;
}
}
}
}
var valid4 = _errs33 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data11.estimated !== undefined){
const _errs36 = errors;
if(typeof data11.estimated !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/gas/estimated",schemaPath:"#/properties/gas/properties/estimated/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid4 = _errs36 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venueFee !== undefined){
let data16 = data.venueFee;
const _errs38 = errors;
if((!(data16 && typeof data16 == "object" && !Array.isArray(data16))) && (data16 !== null)){
validate11.errors = [{instancePath:instancePath+"/venueFee",schemaPath:"#/properties/venueFee/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
if(errors === _errs38){
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
let missing3;
if(((data16.native === undefined) && (missing3 = "native")) || ((data16.nativeSymbol === undefined) && (missing3 = "nativeSymbol"))){
validate11.errors = [{instancePath:instancePath+"/venueFee",schemaPath:"#/properties/venueFee/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs41 = errors;
for(const key3 in data16){
if(!((key3 === "native") || (key3 === "nativeSymbol"))){
validate11.errors = [{instancePath:instancePath+"/venueFee",schemaPath:"#/properties/venueFee/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs41 === errors){
if(data16.native !== undefined){
let data17 = data16.native;
const _errs42 = errors;
const _errs43 = errors;
if(errors === _errs43){
if(typeof data17 === "string"){
if(func3(data17) > 78){
validate11.errors = [{instancePath:instancePath+"/venueFee/native",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data17)){
validate11.errors = [{instancePath:instancePath+"/venueFee/native",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/venueFee/native",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs42 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data16.nativeSymbol !== undefined){
let data18 = data16.nativeSymbol;
const _errs45 = errors;
if(errors === _errs45){
if(typeof data18 === "string"){
if(func3(data18) > 16){
validate11.errors = [{instancePath:instancePath+"/venueFee/nativeSymbol",schemaPath:"#/properties/venueFee/properties/nativeSymbol/maxLength",keyword:"maxLength",params:{limit: 16},message:"must NOT have more than 16 characters"}];
return false;
}
else {
if(func3(data18) < 1){
validate11.errors = [{instancePath:instancePath+"/venueFee/nativeSymbol",schemaPath:"#/properties/venueFee/properties/nativeSymbol/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/venueFee/nativeSymbol",schemaPath:"#/properties/venueFee/properties/nativeSymbol/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs45 === errors;
}
else {
var valid6 = true;
}
}
}
}
}
}
var valid0 = _errs38 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.depositAmount !== undefined){
const _errs47 = errors;
if(!(validate22(data.depositAmount, {instancePath:instancePath+"/depositAmount",parentData:data,parentDataProperty:"depositAmount",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var valid0 = _errs47 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expectedProof !== undefined){
const _errs48 = errors;
if(!(validate24(data.expectedProof, {instancePath:instancePath+"/expectedProof",parentData:data,parentDataProperty:"expectedProof",rootData}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs48 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.approval !== undefined){
const _errs49 = errors;
if(!(validate26(data.approval, {instancePath:instancePath+"/approval",parentData:data,parentDataProperty:"approval",rootData}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
var valid0 = _errs49 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.estimatedTimeSeconds !== undefined){
let data22 = data.estimatedTimeSeconds;
const _errs50 = errors;
if(errors === _errs50){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 604800 || isNaN(data22)){
validate11.errors = [{instancePath:instancePath+"/estimatedTimeSeconds",schemaPath:"#/properties/estimatedTimeSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800},message:"must be <= 604800"}];
return false;
}
else {
if(data22 < 0 || isNaN(data22)){
validate11.errors = [{instancePath:instancePath+"/estimatedTimeSeconds",schemaPath:"#/properties/estimatedTimeSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data22))){
validate11.errors = [{instancePath:instancePath+"/estimatedTimeSeconds",schemaPath:"#/properties/estimatedTimeSeconds/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/estimatedTimeSeconds",schemaPath:"#/properties/estimatedTimeSeconds/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs50 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.estimatedTimeIsGuess !== undefined){
const _errs52 = errors;
if(typeof data.estimatedTimeIsGuess !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/estimatedTimeIsGuess",schemaPath:"#/properties/estimatedTimeIsGuess/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data24 = data.expiresAt;
const _errs54 = errors;
if(errors === _errs54){
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 > 9007199254740991 || isNaN(data24)){
validate11.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data24 < 0 || isNaN(data24)){
validate11.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
let res0;
if((1 === 0 || (res0 = data24/1, res0 !== parseInt(res0)))){
validate11.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/multipleOf",keyword:"multipleOf",params:{multipleOf: 1},message:"must be multiple of 1"}];
return false;
}
else {
if(!(formats10.validate(data24))){
validate11.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

const schema40 = {"type":"object","required":["requestId","version"],"properties":{"requestId":{"$ref":"RequestId"},"version":{"$ref":"Version"}},"additionalProperties":false,"$id":"Meta"};
const schema41 = {"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z._-]+$","$id":"RequestId"};
const schema42 = {"type":"string","maxLength":7,"pattern":"^\\d{4}-(0[1-9]|1[0-2])$","$id":"Version"};
const pattern15 = new RegExp("^[0-9A-Za-z._-]+$", "u");
const pattern16 = new RegExp("^\\d{4}-(0[1-9]|1[0-2])$", "u");

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Meta" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.requestId === undefined) && (missing0 = "requestId")) || ((data.version === undefined) && (missing0 = "version"))){
validate32.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "requestId") || (key0 === "version"))){
validate32.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.requestId !== undefined){
let data0 = data.requestId;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 128){
validate32.errors = [{instancePath:instancePath+"/requestId",schemaPath:"RequestId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate32.errors = [{instancePath:instancePath+"/requestId",schemaPath:"RequestId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern15.test(data0)){
validate32.errors = [{instancePath:instancePath+"/requestId",schemaPath:"RequestId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z._-]+$"},message:"must match pattern \""+"^[0-9A-Za-z._-]+$"+"\""}];
return false;
}
}
}
}
else {
validate32.errors = [{instancePath:instancePath+"/requestId",schemaPath:"RequestId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data1 = data.version;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(func3(data1) > 7){
validate32.errors = [{instancePath:instancePath+"/version",schemaPath:"Version/maxLength",keyword:"maxLength",params:{limit: 7},message:"must NOT have more than 7 characters"}];
return false;
}
else {
if(!pattern16.test(data1)){
validate32.errors = [{instancePath:instancePath+"/version",schemaPath:"Version/pattern",keyword:"pattern",params:{pattern: "^\\d{4}-(0[1-9]|1[0-2])$"},message:"must match pattern \""+"^\\d{4}-(0[1-9]|1[0-2])$"+"\""}];
return false;
}
}
}
else {
validate32.errors = [{instancePath:instancePath+"/version",schemaPath:"Version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate32.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate32.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="QuoteResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate11(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}

compiled.ErrorResponse = validate34;
const schema43 = {"type":"object","required":["error","meta"],"properties":{"error":{"$ref":"Failure"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"ErrorResponse"};
const schema44 = {"type":"object","required":["code","message"],"properties":{"code":{"$ref":"ErrorCode"},"message":{"type":"string","minLength":1,"maxLength":1024},"details":{"$ref":"FailureDetails"}},"additionalProperties":false,"$id":"Failure"};
const schema45 = {"type":"string","enum":["INVALID_REQUEST","UNSUPPORTED_TOKEN","UNSUPPORTED_CHAIN","NO_LIQUIDITY","QUOTE_EXPIRED","QUOTE_INVALID","QUOTE_NOT_EXECUTABLE","RATE_LIMITED","UNAUTHORIZED","NOT_CONFIGURED","NOT_FOUND","INTERNAL","ORDER_REJECTED","BUILD_FAILED"],"$id":"ErrorCode"};
const schema46 = {"type":"object","properties":{"fields":{"type":"array","maxItems":50,"items":{"$ref":"FieldProblem"}},"retryAfterSec":{"type":"integer","format":"int32","minimum":1,"maximum":86400},"retryable":{"type":"boolean"},"declines":{"type":"array","maxItems":64,"items":{"$ref":"VenueDecline"}},"missing":{"type":"array","maxItems":2,"items":{"type":"string","maxLength":64}},"expiresAt":{"type":"number","format":"double","minimum":0,"maximum":9007199254740991},"venue":{"$ref":"VenueId"},"kind":{"type":"string","maxLength":32},"reason":{"type":"string","maxLength":64},"transactionError":{},"txHash":{"type":"string","maxLength":128},"statusRef":{"type":"string","maxLength":512},"chainId":{"type":"number","format":"double"}},"additionalProperties":false,"$id":"FailureDetails"};
const schema47 = {"type":"object","required":["path","reason"],"properties":{"path":{"type":"string","maxLength":64},"reason":{"type":"string","maxLength":1024}},"additionalProperties":false,"$id":"FieldProblem"};
const schema48 = {"type":"object","required":["venue","kind","retryable"],"properties":{"venue":{"$ref":"VenueId"},"kind":{"type":"string","maxLength":32},"check":{"type":"string","maxLength":100},"minimum":{"type":"string","maxLength":78},"maximum":{"type":"string","maxLength":78},"reason":{"type":"string","maxLength":64},"retryable":{"type":"boolean"}},"additionalProperties":false,"$id":"VenueDecline"};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="VenueDecline" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.venue === undefined) && (missing0 = "venue")) || ((data.kind === undefined) && (missing0 = "kind"))) || ((data.retryable === undefined) && (missing0 = "retryable"))){
validate37.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "venue") || (key0 === "kind")) || (key0 === "check")) || (key0 === "minimum")) || (key0 === "maximum")) || (key0 === "reason")) || (key0 === "retryable"))){
validate37.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.venue !== undefined){
let data0 = data.venue;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 64){
validate37.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate37.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data0)){
validate37.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate37.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kind !== undefined){
let data1 = data.kind;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 32){
validate37.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.check !== undefined){
let data2 = data.check;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 100){
validate37.errors = [{instancePath:instancePath+"/check",schemaPath:"#/properties/check/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/check",schemaPath:"#/properties/check/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.minimum !== undefined){
let data3 = data.minimum;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data3 === "string"){
if(func3(data3) > 78){
validate37.errors = [{instancePath:instancePath+"/minimum",schemaPath:"#/properties/minimum/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/minimum",schemaPath:"#/properties/minimum/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maximum !== undefined){
let data4 = data.maximum;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data4 === "string"){
if(func3(data4) > 78){
validate37.errors = [{instancePath:instancePath+"/maximum",schemaPath:"#/properties/maximum/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/maximum",schemaPath:"#/properties/maximum/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reason !== undefined){
let data5 = data.reason;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data5 === "string"){
if(func3(data5) > 64){
validate37.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retryable !== undefined){
const _errs15 = errors;
if(typeof data.retryable !== "boolean"){
validate37.errors = [{instancePath:instancePath+"/retryable",schemaPath:"#/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate37.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate37.errors = vErrors;
return errors === 0;
}


function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="FailureDetails" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema46.properties, key0))){
validate36.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.fields !== undefined){
let data0 = data.fields;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate36.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/properties/fields/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if(((data1.path === undefined) && (missing0 = "path")) || ((data1.reason === undefined) && (missing0 = "reason"))){
validate36.errors = [{instancePath:instancePath+"/fields/" + i0,schemaPath:"FieldProblem/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs7 = errors;
for(const key1 in data1){
if(!((key1 === "path") || (key1 === "reason"))){
validate36.errors = [{instancePath:instancePath+"/fields/" + i0,schemaPath:"FieldProblem/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs7 === errors){
if(data1.path !== undefined){
let data2 = data1.path;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func3(data2) > 64){
validate36.errors = [{instancePath:instancePath+"/fields/" + i0+"/path",schemaPath:"FieldProblem/properties/path/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/fields/" + i0+"/path",schemaPath:"FieldProblem/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.reason !== undefined){
let data3 = data1.reason;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(func3(data3) > 1024){
validate36.errors = [{instancePath:instancePath+"/fields/" + i0+"/reason",schemaPath:"FieldProblem/properties/reason/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/fields/" + i0+"/reason",schemaPath:"FieldProblem/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/fields/" + i0,schemaPath:"FieldProblem/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/properties/fields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retryAfterSec !== undefined){
let data4 = data.retryAfterSec;
const _errs12 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate36.errors = [{instancePath:instancePath+"/retryAfterSec",schemaPath:"#/properties/retryAfterSec/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 86400 || isNaN(data4)){
validate36.errors = [{instancePath:instancePath+"/retryAfterSec",schemaPath:"#/properties/retryAfterSec/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400},message:"must be <= 86400"}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate36.errors = [{instancePath:instancePath+"/retryAfterSec",schemaPath:"#/properties/retryAfterSec/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
else {
if(!(formats0.validate(data4))){
validate36.errors = [{instancePath:instancePath+"/retryAfterSec",schemaPath:"#/properties/retryAfterSec/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retryable !== undefined){
const _errs14 = errors;
if(typeof data.retryable !== "boolean"){
validate36.errors = [{instancePath:instancePath+"/retryable",schemaPath:"#/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.declines !== undefined){
let data6 = data.declines;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data6)){
if(data6.length > 64){
validate36.errors = [{instancePath:instancePath+"/declines",schemaPath:"#/properties/declines/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid4 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
const _errs18 = errors;
if(!(validate37(data6[i1], {instancePath:instancePath+"/declines/" + i1,parentData:data6,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
var valid4 = _errs18 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/declines",schemaPath:"#/properties/declines/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missing !== undefined){
let data8 = data.missing;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data8)){
if(data8.length > 2){
validate36.errors = [{instancePath:instancePath+"/missing",schemaPath:"#/properties/missing/maxItems",keyword:"maxItems",params:{limit: 2},message:"must NOT have more than 2 items"}];
return false;
}
else {
var valid5 = true;
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
let data9 = data8[i2];
const _errs21 = errors;
if(errors === _errs21){
if(typeof data9 === "string"){
if(func3(data9) > 64){
validate36.errors = [{instancePath:instancePath+"/missing/" + i2,schemaPath:"#/properties/missing/items/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/missing/" + i2,schemaPath:"#/properties/missing/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs21 === errors;
if(!valid5){
break;
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/missing",schemaPath:"#/properties/missing/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data10 = data.expiresAt;
const _errs23 = errors;
if(errors === _errs23){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 9007199254740991 || isNaN(data10)){
validate36.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data10 < 0 || isNaN(data10)){
validate36.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data10))){
validate36.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venue !== undefined){
let data11 = data.venue;
const _errs25 = errors;
const _errs26 = errors;
if(errors === _errs26){
if(typeof data11 === "string"){
if(func3(data11) > 64){
validate36.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data11) < 1){
validate36.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data11)){
validate36.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kind !== undefined){
let data12 = data.kind;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data12 === "string"){
if(func3(data12) > 32){
validate36.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reason !== undefined){
let data13 = data.reason;
const _errs30 = errors;
if(errors === _errs30){
if(typeof data13 === "string"){
if(func3(data13) > 64){
validate36.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txHash !== undefined){
let data14 = data.txHash;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data14 === "string"){
if(func3(data14) > 128){
validate36.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.statusRef !== undefined){
let data15 = data.statusRef;
const _errs34 = errors;
if(errors === _errs34){
if(typeof data15 === "string"){
if(func3(data15) > 512){
validate36.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data16 = data.chainId;
const _errs36 = errors;
if(errors === _errs36){
if((typeof data16 == "number") && (isFinite(data16))){
if(!(formats10.validate(data16))){
validate36.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate36.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate36.errors = vErrors;
return errors === 0;
}


function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Failure" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))){
validate35.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "details"))){
validate35.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
let data0 = data.code;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate35.errors = [{instancePath:instancePath+"/code",schemaPath:"ErrorCode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((((((((((((data0 === "INVALID_REQUEST") || (data0 === "UNSUPPORTED_TOKEN")) || (data0 === "UNSUPPORTED_CHAIN")) || (data0 === "NO_LIQUIDITY")) || (data0 === "QUOTE_EXPIRED")) || (data0 === "QUOTE_INVALID")) || (data0 === "QUOTE_NOT_EXECUTABLE")) || (data0 === "RATE_LIMITED")) || (data0 === "UNAUTHORIZED")) || (data0 === "NOT_CONFIGURED")) || (data0 === "NOT_FOUND")) || (data0 === "INTERNAL")) || (data0 === "ORDER_REJECTED")) || (data0 === "BUILD_FAILED"))){
validate35.errors = [{instancePath:instancePath+"/code",schemaPath:"ErrorCode/enum",keyword:"enum",params:{allowedValues: schema45.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data1 = data.message;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate35.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate35.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate35.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
const _errs7 = errors;
if(!(validate36(data.details, {instancePath:instancePath+"/details",parentData:data,parentDataProperty:"details",rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate35.errors = vErrors;
return errors === 0;
}


function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ErrorResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.error === undefined) && (missing0 = "error")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate34.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "error") || (key0 === "meta"))){
validate34.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.error !== undefined){
const _errs2 = errors;
if(!(validate35(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate34.errors = vErrors;
return errors === 0;
}

compiled.OverloadedResponse = validate42;
const schema51 = {"type":"object","required":["error","meta"],"properties":{"error":{"$ref":"Overloaded"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"OverloadedResponse"};
const schema52 = {"type":"object","required":["code","message","details"],"properties":{"code":{"$ref":"OverloadedCode"},"message":{"type":"string","minLength":1,"maxLength":1024},"details":{"type":"object","required":["retryAfterSec","retryable"],"properties":{"retryAfterSec":{"type":"integer","format":"int32","minimum":1,"maximum":86400},"retryable":{"type":"boolean"}},"additionalProperties":false}},"additionalProperties":false,"$id":"Overloaded"};
const schema53 = {"type":"string","enum":["OVERLOADED"],"$id":"OverloadedCode"};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Overloaded" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate43.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "details"))){
validate43.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
let data0 = data.code;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate43.errors = [{instancePath:instancePath+"/code",schemaPath:"OverloadedCode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "OVERLOADED")){
validate43.errors = [{instancePath:instancePath+"/code",schemaPath:"OverloadedCode/enum",keyword:"enum",params:{allowedValues: schema53.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data1 = data.message;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate43.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate43.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate43.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2.retryAfterSec === undefined) && (missing1 = "retryAfterSec")) || ((data2.retryable === undefined) && (missing1 = "retryable"))){
validate43.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs9 = errors;
for(const key1 in data2){
if(!((key1 === "retryAfterSec") || (key1 === "retryable"))){
validate43.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs9 === errors){
if(data2.retryAfterSec !== undefined){
let data3 = data2.retryAfterSec;
const _errs10 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate43.errors = [{instancePath:instancePath+"/details/retryAfterSec",schemaPath:"#/properties/details/properties/retryAfterSec/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 86400 || isNaN(data3)){
validate43.errors = [{instancePath:instancePath+"/details/retryAfterSec",schemaPath:"#/properties/details/properties/retryAfterSec/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400},message:"must be <= 86400"}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate43.errors = [{instancePath:instancePath+"/details/retryAfterSec",schemaPath:"#/properties/details/properties/retryAfterSec/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
else {
if(!(formats0.validate(data3))){
validate43.errors = [{instancePath:instancePath+"/details/retryAfterSec",schemaPath:"#/properties/details/properties/retryAfterSec/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.retryable !== undefined){
const _errs12 = errors;
if(typeof data2.retryable !== "boolean"){
validate43.errors = [{instancePath:instancePath+"/details/retryable",schemaPath:"#/properties/details/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid2 = _errs12 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate43.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate43.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate43.errors = vErrors;
return errors === 0;
}


function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="OverloadedResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.error === undefined) && (missing0 = "error")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate42.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "error") || (key0 === "meta"))){
validate42.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.error !== undefined){
const _errs2 = errors;
if(!(validate43(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate42.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate42.errors = vErrors;
return errors === 0;
}

compiled.ExecuteResponse = validate46;
const schema54 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"Execution"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"ExecuteResponse"};
const schema55 = {"oneOf":[{"$ref":"TransactionExecution"},{"$ref":"SignatureExecution"},{"$ref":"DepositExecution"}],"discriminator":{"propertyName":"executionType"},"$id":"Execution"};
const schema56 = {"type":"object","required":["executionType","transaction","proof"],"properties":{"executionType":{"type":"string","enum":["TRANSACTION"]},"approval":{"$ref":"Approval"},"transaction":{"$ref":"Transaction"},"proof":{"$ref":"Proof"},"ignored":{"$ref":"IgnoredFields"},"submit":{"$ref":"TransactionTarget"},"statusRef":{"type":"string","minLength":1,"maxLength":512},"quoteToken":{"type":"string","minLength":1,"maxLength":4096}},"additionalProperties":false,"$id":"TransactionExecution"};
const schema60 = {"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","enum":["destinationAddress","refundAddress"]},"$id":"IgnoredFields"};
const schema61 = {"type":"object","required":["url"],"properties":{"url":{"type":"string","enum":["/api/v1/submit-transaction"]}},"additionalProperties":false,"$id":"TransactionTarget"};
const schema57 = {"type":"object","required":["to","data","value","chainId"],"properties":{"to":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"data":{"type":"string","maxLength":262144,"pattern":"^(0x([0-9a-fA-F]{2})*|[0-9A-Za-z+/]+={0,2})$"},"value":{"$ref":"AmountOrZero"},"chainId":{"$ref":"ChainId"},"serialized":{"type":"string","minLength":1,"maxLength":8192,"pattern":"^[0-9A-Za-z+/]+={0,2}$"}},"additionalProperties":false,"$id":"Transaction"};
const pattern19 = new RegExp("^[0-9A-Za-z]+$", "u");
const pattern20 = new RegExp("^(0x([0-9a-fA-F]{2})*|[0-9A-Za-z+/]+={0,2})$", "u");
const pattern22 = new RegExp("^[0-9A-Za-z+/]+={0,2}$", "u");

function validate50(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Transaction" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.to === undefined) && (missing0 = "to")) || ((data.data === undefined) && (missing0 = "data"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.chainId === undefined) && (missing0 = "chainId"))){
validate50.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "to") || (key0 === "data")) || (key0 === "value")) || (key0 === "chainId")) || (key0 === "serialized"))){
validate50.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.to !== undefined){
let data0 = data.to;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 128){
validate50.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate50.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern19.test(data0)){
validate50.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""}];
return false;
}
}
}
}
else {
validate50.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data1 = data.data;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func3(data1) > 262144){
validate50.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/maxLength",keyword:"maxLength",params:{limit: 262144},message:"must NOT have more than 262144 characters"}];
return false;
}
else {
if(!pattern20.test(data1)){
validate50.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/pattern",keyword:"pattern",params:{pattern: "^(0x([0-9a-fA-F]{2})*|[0-9A-Za-z+/]+={0,2})$"},message:"must match pattern \""+"^(0x([0-9a-fA-F]{2})*|[0-9A-Za-z+/]+={0,2})$"+"\""}];
return false;
}
}
}
else {
validate50.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data2 = data.value;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 78){
validate50.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data2)){
validate50.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate50.errors = [{instancePath:instancePath+"/value",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data3 = data.chainId;
const _errs9 = errors;
const _errs10 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate50.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data3 === 1) || (data3 === 10)) || (data3 === 56)) || (data3 === 130)) || (data3 === 137)) || (data3 === 324)) || (data3 === 480)) || (data3 === 999)) || (data3 === 143)) || (data3 === 8453)) || (data3 === 42161)) || (data3 === 59144)) || (data3 === 43114)) || (data3 === 4663)) || (data3 === -1)) || (data3 === -2))){
validate50.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(!(formats0.validate(data3))){
validate50.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.serialized !== undefined){
let data4 = data.serialized;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data4 === "string"){
if(func3(data4) > 8192){
validate50.errors = [{instancePath:instancePath+"/serialized",schemaPath:"#/properties/serialized/maxLength",keyword:"maxLength",params:{limit: 8192},message:"must NOT have more than 8192 characters"}];
return false;
}
else {
if(func3(data4) < 1){
validate50.errors = [{instancePath:instancePath+"/serialized",schemaPath:"#/properties/serialized/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern22.test(data4)){
validate50.errors = [{instancePath:instancePath+"/serialized",schemaPath:"#/properties/serialized/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z+/]+={0,2}$"},message:"must match pattern \""+"^[0-9A-Za-z+/]+={0,2}$"+"\""}];
return false;
}
}
}
}
else {
validate50.errors = [{instancePath:instancePath+"/serialized",schemaPath:"#/properties/serialized/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate50.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate50.errors = vErrors;
return errors === 0;
}


function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="TransactionExecution" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.executionType === undefined) && (missing0 = "executionType")) || ((data.transaction === undefined) && (missing0 = "transaction"))) || ((data.proof === undefined) && (missing0 = "proof"))){
validate48.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "executionType") || (key0 === "approval")) || (key0 === "transaction")) || (key0 === "proof")) || (key0 === "ignored")) || (key0 === "submit")) || (key0 === "statusRef")) || (key0 === "quoteToken"))){
validate48.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.executionType !== undefined){
let data0 = data.executionType;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate48.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "TRANSACTION")){
validate48.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/enum",keyword:"enum",params:{allowedValues: schema56.properties.executionType.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.approval !== undefined){
const _errs4 = errors;
if(!(validate26(data.approval, {instancePath:instancePath+"/approval",parentData:data,parentDataProperty:"approval",rootData}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transaction !== undefined){
const _errs5 = errors;
if(!(validate50(data.transaction, {instancePath:instancePath+"/transaction",parentData:data,parentDataProperty:"transaction",rootData}))){
vErrors = vErrors === null ? validate50.errors : vErrors.concat(validate50.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.proof !== undefined){
const _errs6 = errors;
if(!(validate24(data.proof, {instancePath:instancePath+"/proof",parentData:data,parentDataProperty:"proof",rootData}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ignored !== undefined){
let data4 = data.ignored;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
if(data4.length < 1){
validate48.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs10 = errors;
if(typeof data5 !== "string"){
validate48.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data5 === "destinationAddress") || (data5 === "refundAddress"))){
validate48.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/enum",keyword:"enum",params:{allowedValues: schema60.items.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
if(valid2){
let i1 = data4.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data4[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate48.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate48.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.submit !== undefined){
let data6 = data.submit;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing1;
if((data6.url === undefined) && (missing1 = "url")){
validate48.errors = [{instancePath:instancePath+"/submit",schemaPath:"TransactionTarget/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs15 = errors;
for(const key1 in data6){
if(!(key1 === "url")){
validate48.errors = [{instancePath:instancePath+"/submit",schemaPath:"TransactionTarget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs15 === errors){
if(data6.url !== undefined){
let data7 = data6.url;
if(typeof data7 !== "string"){
validate48.errors = [{instancePath:instancePath+"/submit/url",schemaPath:"TransactionTarget/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data7 === "/api/v1/submit-transaction")){
validate48.errors = [{instancePath:instancePath+"/submit/url",schemaPath:"TransactionTarget/properties/url/enum",keyword:"enum",params:{allowedValues: schema61.properties.url.enum},message:"must be equal to one of the allowed values"}];
return false;
}
}
}
}
}
else {
validate48.errors = [{instancePath:instancePath+"/submit",schemaPath:"TransactionTarget/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.statusRef !== undefined){
let data8 = data.statusRef;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(func3(data8) > 512){
validate48.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(func3(data8) < 1){
validate48.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate48.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.quoteToken !== undefined){
let data9 = data.quoteToken;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data9 === "string"){
if(func3(data9) > 4096){
validate48.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
else {
if(func3(data9) < 1){
validate48.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate48.errors = [{instancePath:instancePath+"/quoteToken",schemaPath:"#/properties/quoteToken/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate48.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate48.errors = vErrors;
return errors === 0;
}

const schema62 = {"type":"object","required":["executionType","typedData","submit","proof"],"properties":{"executionType":{"type":"string","enum":["SIGNATURE"]},"approval":{"$ref":"Approval"},"typedData":{"$ref":"TypedData"},"approvalData":{"$ref":"TypedData"},"proof":{"$ref":"Proof"},"ignored":{"$ref":"IgnoredFields"},"submit":{"$ref":"SubmitTarget"}},"additionalProperties":false,"$id":"SignatureExecution"};
const schema68 = {"type":"object","required":["url"],"properties":{"url":{"type":"string","enum":["/api/v1/submit-signature"]},"payload":{"type":"object","additionalProperties":true}},"additionalProperties":false,"$id":"SubmitTarget"};
const schema63 = {"type":"object","required":["domain","types","primaryType","message"],"properties":{"domain":{"$ref":"TypedDataDomain"},"types":{"type":"object","additionalProperties":{"type":"array","maxItems":128,"items":{"$ref":"TypedDataField"}}},"primaryType":{"type":"string","minLength":1,"maxLength":128},"message":{"type":"object","additionalProperties":true}},"additionalProperties":false,"$id":"TypedData"};
const schema66 = {"type":"object","required":["name","type"],"properties":{"name":{"type":"string","maxLength":128},"type":{"type":"string","minLength":1,"maxLength":128}},"additionalProperties":false,"$id":"TypedDataField"};
const schema64 = {"type":"object","properties":{"name":{"type":"string","maxLength":256},"version":{"type":"string","maxLength":64},"chainId":{"type":"integer","format":"int32","minimum":1,"maximum":2147483647},"verifyingContract":{"$ref":"EvmAddress"},"salt":{"type":"string","maxLength":66,"pattern":"^0x[0-9a-fA-F]{64}$"}},"additionalProperties":false,"$id":"TypedDataDomain"};
const pattern24 = new RegExp("^0x[0-9a-fA-F]{64}$", "u");

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="TypedDataDomain" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "name") || (key0 === "version")) || (key0 === "chainId")) || (key0 === "verifyingContract")) || (key0 === "salt"))){
validate56.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 256){
validate56.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
else {
validate56.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data1 = data.version;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate56.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate56.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data2 = data.chainId;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate56.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
validate56.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647"}];
return false;
}
else {
if(data2 < 1 || isNaN(data2)){
validate56.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
else {
if(!(formats0.validate(data2))){
validate56.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/properties/chainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.verifyingContract !== undefined){
let data3 = data.verifyingContract;
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data3 === "string"){
if(func3(data3) > 42){
validate56.errors = [{instancePath:instancePath+"/verifyingContract",schemaPath:"EvmAddress/maxLength",keyword:"maxLength",params:{limit: 42},message:"must NOT have more than 42 characters"}];
return false;
}
else {
if(!pattern9.test(data3)){
validate56.errors = [{instancePath:instancePath+"/verifyingContract",schemaPath:"EvmAddress/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/verifyingContract",schemaPath:"EvmAddress/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.salt !== undefined){
let data4 = data.salt;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data4 === "string"){
if(func3(data4) > 66){
validate56.errors = [{instancePath:instancePath+"/salt",schemaPath:"#/properties/salt/maxLength",keyword:"maxLength",params:{limit: 66},message:"must NOT have more than 66 characters"}];
return false;
}
else {
if(!pattern24.test(data4)){
validate56.errors = [{instancePath:instancePath+"/salt",schemaPath:"#/properties/salt/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/salt",schemaPath:"#/properties/salt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate56.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate56.errors = vErrors;
return errors === 0;
}


function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="TypedData" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.domain === undefined) && (missing0 = "domain")) || ((data.types === undefined) && (missing0 = "types"))) || ((data.primaryType === undefined) && (missing0 = "primaryType"))) || ((data.message === undefined) && (missing0 = "message"))){
validate55.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "domain") || (key0 === "types")) || (key0 === "primaryType")) || (key0 === "message"))){
validate55.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.domain !== undefined){
const _errs2 = errors;
if(!(validate56(data.domain, {instancePath:instancePath+"/domain",parentData:data,parentDataProperty:"domain",rootData}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.types !== undefined){
let data1 = data.types;
const _errs3 = errors;
if(errors === _errs3){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key1 in data1){
let data2 = data1[key1];
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length > 128){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/types/additionalProperties/maxItems",keyword:"maxItems",params:{limit: 128},message:"must NOT have more than 128 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if(((data3.name === undefined) && (missing1 = "name")) || ((data3.type === undefined) && (missing1 = "type"))){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"TypedDataField/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs11 = errors;
for(const key2 in data3){
if(!((key2 === "name") || (key2 === "type"))){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"TypedDataField/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs11 === errors){
if(data3.name !== undefined){
let data4 = data3.name;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data4 === "string"){
if(func3(data4) > 128){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0+"/name",schemaPath:"TypedDataField/properties/name/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0+"/name",schemaPath:"TypedDataField/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs12 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data3.type !== undefined){
let data5 = data3.type;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(func3(data5) > 128){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0+"/type",schemaPath:"TypedDataField/properties/type/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0+"/type",schemaPath:"TypedDataField/properties/type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0+"/type",schemaPath:"TypedDataField/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs14 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"TypedDataField/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs8 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/types/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/types/additionalProperties/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/types",schemaPath:"#/properties/types/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.primaryType !== undefined){
let data6 = data.primaryType;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data6 === "string"){
if(func3(data6) > 128){
validate55.errors = [{instancePath:instancePath+"/primaryType",schemaPath:"#/properties/primaryType/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data6) < 1){
validate55.errors = [{instancePath:instancePath+"/primaryType",schemaPath:"#/properties/primaryType/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/primaryType",schemaPath:"#/properties/primaryType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data7 = data.message;
const _errs18 = errors;
if(errors === _errs18){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
}
else {
validate55.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}


function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SignatureExecution" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.executionType === undefined) && (missing0 = "executionType")) || ((data.typedData === undefined) && (missing0 = "typedData"))) || ((data.submit === undefined) && (missing0 = "submit"))) || ((data.proof === undefined) && (missing0 = "proof"))){
validate53.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "executionType") || (key0 === "approval")) || (key0 === "typedData")) || (key0 === "approvalData")) || (key0 === "proof")) || (key0 === "ignored")) || (key0 === "submit"))){
validate53.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.executionType !== undefined){
let data0 = data.executionType;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate53.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "SIGNATURE")){
validate53.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/enum",keyword:"enum",params:{allowedValues: schema62.properties.executionType.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.approval !== undefined){
const _errs4 = errors;
if(!(validate26(data.approval, {instancePath:instancePath+"/approval",parentData:data,parentDataProperty:"approval",rootData}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.typedData !== undefined){
const _errs5 = errors;
if(!(validate55(data.typedData, {instancePath:instancePath+"/typedData",parentData:data,parentDataProperty:"typedData",rootData}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.approvalData !== undefined){
const _errs6 = errors;
if(!(validate55(data.approvalData, {instancePath:instancePath+"/approvalData",parentData:data,parentDataProperty:"approvalData",rootData}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.proof !== undefined){
const _errs7 = errors;
if(!(validate24(data.proof, {instancePath:instancePath+"/proof",parentData:data,parentDataProperty:"proof",rootData}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ignored !== undefined){
let data5 = data.ignored;
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data5)){
if(data5.length < 1){
validate53.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
const _errs11 = errors;
if(typeof data6 !== "string"){
validate53.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data6 === "destinationAddress") || (data6 === "refundAddress"))){
validate53.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/enum",keyword:"enum",params:{allowedValues: schema60.items.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
if(valid2){
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate53.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate53.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.submit !== undefined){
let data7 = data.submit;
const _errs13 = errors;
const _errs14 = errors;
if(errors === _errs14){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if((data7.url === undefined) && (missing1 = "url")){
validate53.errors = [{instancePath:instancePath+"/submit",schemaPath:"SubmitTarget/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs16 = errors;
for(const key1 in data7){
if(!((key1 === "url") || (key1 === "payload"))){
validate53.errors = [{instancePath:instancePath+"/submit",schemaPath:"SubmitTarget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs16 === errors){
if(data7.url !== undefined){
let data8 = data7.url;
const _errs17 = errors;
if(typeof data8 !== "string"){
validate53.errors = [{instancePath:instancePath+"/submit/url",schemaPath:"SubmitTarget/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data8 === "/api/v1/submit-signature")){
validate53.errors = [{instancePath:instancePath+"/submit/url",schemaPath:"SubmitTarget/properties/url/enum",keyword:"enum",params:{allowedValues: schema68.properties.url.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid5 = _errs17 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data7.payload !== undefined){
let data9 = data7.payload;
const _errs19 = errors;
if(errors === _errs19){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
}
else {
validate53.errors = [{instancePath:instancePath+"/submit/payload",schemaPath:"SubmitTarget/properties/payload/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid5 = _errs19 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
else {
validate53.errors = [{instancePath:instancePath+"/submit",schemaPath:"SubmitTarget/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate53.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate53.errors = vErrors;
return errors === 0;
}

const schema69 = {"type":"object","required":["executionType","deposit","statusRef","proof"],"properties":{"executionType":{"type":"string","enum":["DEPOSIT"]},"deposit":{"$ref":"Deposit"},"proof":{"$ref":"Proof"},"ignored":{"$ref":"IgnoredFields"},"statusRef":{"type":"string","minLength":1,"maxLength":512}},"additionalProperties":false,"$id":"DepositExecution"};
const schema70 = {"type":"object","required":["address","amount","chainId","token"],"properties":{"address":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"amount":{"$ref":"Amount"},"chainId":{"$ref":"ChainId"},"token":{"$ref":"Token"}},"additionalProperties":false,"$id":"Deposit"};

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Deposit" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.address === undefined) && (missing0 = "address")) || ((data.amount === undefined) && (missing0 = "amount"))) || ((data.chainId === undefined) && (missing0 = "chainId"))) || ((data.token === undefined) && (missing0 = "token"))){
validate62.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "address") || (key0 === "amount")) || (key0 === "chainId")) || (key0 === "token"))){
validate62.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.address !== undefined){
let data0 = data.address;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 128){
validate62.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate62.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern19.test(data0)){
validate62.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""}];
return false;
}
}
}
}
else {
validate62.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.amount !== undefined){
let data1 = data.amount;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 78){
validate62.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data1)){
validate62.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate62.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data2 = data.chainId;
const _errs7 = errors;
const _errs8 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate62.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data2 === 1) || (data2 === 10)) || (data2 === 56)) || (data2 === 130)) || (data2 === 137)) || (data2 === 324)) || (data2 === 480)) || (data2 === 999)) || (data2 === 143)) || (data2 === 8453)) || (data2 === 42161)) || (data2 === 59144)) || (data2 === 43114)) || (data2 === 4663)) || (data2 === -1)) || (data2 === -2))){
validate62.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs8){
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats0.validate(data2))){
validate62.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
const _errs10 = errors;
if(!(validate15(data.token, {instancePath:instancePath+"/token",parentData:data,parentDataProperty:"token",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate62.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate62.errors = vErrors;
return errors === 0;
}


function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="DepositExecution" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.executionType === undefined) && (missing0 = "executionType")) || ((data.deposit === undefined) && (missing0 = "deposit"))) || ((data.statusRef === undefined) && (missing0 = "statusRef"))) || ((data.proof === undefined) && (missing0 = "proof"))){
validate61.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "executionType") || (key0 === "deposit")) || (key0 === "proof")) || (key0 === "ignored")) || (key0 === "statusRef"))){
validate61.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.executionType !== undefined){
let data0 = data.executionType;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate61.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "DEPOSIT")){
validate61.errors = [{instancePath:instancePath+"/executionType",schemaPath:"#/properties/executionType/enum",keyword:"enum",params:{allowedValues: schema69.properties.executionType.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deposit !== undefined){
const _errs4 = errors;
if(!(validate62(data.deposit, {instancePath:instancePath+"/deposit",parentData:data,parentDataProperty:"deposit",rootData}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.proof !== undefined){
const _errs5 = errors;
if(!(validate24(data.proof, {instancePath:instancePath+"/proof",parentData:data,parentDataProperty:"proof",rootData}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ignored !== undefined){
let data3 = data.ignored;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
if(data3.length < 1){
validate61.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs9 = errors;
if(typeof data4 !== "string"){
validate61.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data4 === "destinationAddress") || (data4 === "refundAddress"))){
validate61.errors = [{instancePath:instancePath+"/ignored/" + i0,schemaPath:"IgnoredFields/items/enum",keyword:"enum",params:{allowedValues: schema60.items.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
if(valid2){
let i1 = data3.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data3[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate61.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate61.errors = [{instancePath:instancePath+"/ignored",schemaPath:"IgnoredFields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.statusRef !== undefined){
let data5 = data.statusRef;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data5 === "string"){
if(func3(data5) > 512){
validate61.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate61.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate61.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate61.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate61.errors = vErrors;
return errors === 0;
}


function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Execution" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const tag0 = data.executionType;
if(typeof tag0 == "string"){
if(tag0 === "TRANSACTION"){
if(!(validate48(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
}
else if(tag0 === "SIGNATURE"){
if(!(validate53(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
else if(tag0 === "DEPOSIT"){
if(!(validate61(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
}
else {
validate47.errors = [{instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "executionType", tagValue: tag0},message:"value of tag \"executionType\" must be in oneOf"}];
return false;
}
}
else {
validate47.errors = [{instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "executionType", tagValue: tag0},message:"tag \"executionType\" must be string"}];
return false;
}
}
}
validate47.errors = vErrors;
return errors === 0;
}


function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ExecuteResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate46.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate46.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate47(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate46.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate46.errors = vErrors;
return errors === 0;
}

compiled.SubmitSignatureResponse = validate71;
const schema74 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"SubmittedSignature"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"SubmitSignatureResponse"};
const schema75 = {"type":"object","required":["statusRef","venue"],"properties":{"statusRef":{"type":"string","minLength":1,"maxLength":512},"venue":{"$ref":"VenueId"}},"additionalProperties":false,"$id":"SubmittedSignature"};

function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SubmittedSignature" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.statusRef === undefined) && (missing0 = "statusRef")) || ((data.venue === undefined) && (missing0 = "venue"))){
validate72.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "statusRef") || (key0 === "venue"))){
validate72.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.statusRef !== undefined){
let data0 = data.statusRef;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 512){
validate72.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate72.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate72.errors = [{instancePath:instancePath+"/statusRef",schemaPath:"#/properties/statusRef/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venue !== undefined){
let data1 = data.venue;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate72.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate72.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data1)){
validate72.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate72.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate72.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate72.errors = vErrors;
return errors === 0;
}


function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SubmitSignatureResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate71.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate71.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate72(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate71.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate71.errors = vErrors;
return errors === 0;
}

compiled.SubmitTransactionResponse = validate75;
const schema77 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"SubmittedTransaction"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"SubmitTransactionResponse"};
const schema78 = {"type":"object","required":["txHash"],"properties":{"txHash":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"}},"additionalProperties":false,"$id":"SubmittedTransaction"};

function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SubmitTransactionResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate75.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate75.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
let data0 = data.data;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if((data0.txHash === undefined) && (missing1 = "txHash")){
validate75.errors = [{instancePath:instancePath+"/data",schemaPath:"SubmittedTransaction/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs5 = errors;
for(const key1 in data0){
if(!(key1 === "txHash")){
validate75.errors = [{instancePath:instancePath+"/data",schemaPath:"SubmittedTransaction/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs5 === errors){
if(data0.txHash !== undefined){
let data1 = data0.txHash;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(func3(data1) > 128){
validate75.errors = [{instancePath:instancePath+"/data/txHash",schemaPath:"SubmittedTransaction/properties/txHash/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate75.errors = [{instancePath:instancePath+"/data/txHash",schemaPath:"SubmittedTransaction/properties/txHash/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern19.test(data1)){
validate75.errors = [{instancePath:instancePath+"/data/txHash",schemaPath:"SubmittedTransaction/properties/txHash/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""}];
return false;
}
}
}
}
else {
validate75.errors = [{instancePath:instancePath+"/data/txHash",schemaPath:"SubmittedTransaction/properties/txHash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
}
else {
validate75.errors = [{instancePath:instancePath+"/data",schemaPath:"SubmittedTransaction/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs8 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate75.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate75.errors = vErrors;
return errors === 0;
}

compiled.StatusResponse = validate77;
const schema79 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"SwapStatus"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"StatusResponse"};
const schema80 = {"type":"object","required":["status","venue"],"properties":{"status":{"$ref":"SwapState"},"venue":{"$ref":"VenueId"},"venueStatus":{"type":"string","maxLength":256},"tracking":{"type":"string","enum":["unavailable"]},"deliveredAmount":{"$ref":"Amount"},"txHash":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"payments":{"type":"array","minItems":1,"items":{"$ref":"Payment"}}},"additionalProperties":false,"$id":"SwapStatus"};
const schema81 = {"type":"string","enum":["pending","processing","success","expired","refunded","failed","not_found","unknown"],"$id":"SwapState"};
const schema84 = {"type":"object","required":["kind","chainId","token","txHash","final"],"properties":{"kind":{"type":"string","enum":["input","output","refund","extra"]},"chainId":{"$ref":"ChainId"},"token":{"type":"string","minLength":1,"maxLength":128},"amount":{"$ref":"Amount"},"txHash":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[0-9A-Za-z]+$"},"final":{"type":"boolean"}},"additionalProperties":false,"$id":"Payment"};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Payment" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.kind === undefined) && (missing0 = "kind")) || ((data.chainId === undefined) && (missing0 = "chainId"))) || ((data.token === undefined) && (missing0 = "token"))) || ((data.txHash === undefined) && (missing0 = "txHash"))) || ((data.final === undefined) && (missing0 = "final"))){
validate79.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "kind") || (key0 === "chainId")) || (key0 === "token")) || (key0 === "amount")) || (key0 === "txHash")) || (key0 === "final"))){
validate79.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.kind !== undefined){
let data0 = data.kind;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate79.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data0 === "input") || (data0 === "output")) || (data0 === "refund")) || (data0 === "extra"))){
validate79.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema84.properties.kind.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data1 = data.chainId;
const _errs4 = errors;
const _errs5 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate79.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data1 === 1) || (data1 === 10)) || (data1 === 56)) || (data1 === 130)) || (data1 === 137)) || (data1 === 324)) || (data1 === 480)) || (data1 === 999)) || (data1 === 143)) || (data1 === 8453)) || (data1 === 42161)) || (data1 === 59144)) || (data1 === 43114)) || (data1 === 4663)) || (data1 === -1)) || (data1 === -2))){
validate79.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs5){
if((typeof data1 == "number") && (isFinite(data1))){
if(!(formats0.validate(data1))){
validate79.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
let data2 = data.token;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 128){
validate79.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate79.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate79.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.amount !== undefined){
let data3 = data.amount;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(func3(data3) > 78){
validate79.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data3)){
validate79.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate79.errors = [{instancePath:instancePath+"/amount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txHash !== undefined){
let data4 = data.txHash;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data4 === "string"){
if(func3(data4) > 128){
validate79.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data4) < 1){
validate79.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern19.test(data4)){
validate79.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""}];
return false;
}
}
}
}
else {
validate79.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.final !== undefined){
const _errs14 = errors;
if(typeof data.final !== "boolean"){
validate79.errors = [{instancePath:instancePath+"/final",schemaPath:"#/properties/final/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate79.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate79.errors = vErrors;
return errors === 0;
}


function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="SwapStatus" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.status === undefined) && (missing0 = "status")) || ((data.venue === undefined) && (missing0 = "venue"))){
validate78.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "status") || (key0 === "venue")) || (key0 === "venueStatus")) || (key0 === "tracking")) || (key0 === "deliveredAmount")) || (key0 === "txHash")) || (key0 === "payments"))){
validate78.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate78.errors = [{instancePath:instancePath+"/status",schemaPath:"SwapState/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((((((data0 === "pending") || (data0 === "processing")) || (data0 === "success")) || (data0 === "expired")) || (data0 === "refunded")) || (data0 === "failed")) || (data0 === "not_found")) || (data0 === "unknown"))){
validate78.errors = [{instancePath:instancePath+"/status",schemaPath:"SwapState/enum",keyword:"enum",params:{allowedValues: schema81.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venue !== undefined){
let data1 = data.venue;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate78.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate78.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data1)){
validate78.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate78.errors = [{instancePath:instancePath+"/venue",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venueStatus !== undefined){
let data2 = data.venueStatus;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func3(data2) > 256){
validate78.errors = [{instancePath:instancePath+"/venueStatus",schemaPath:"#/properties/venueStatus/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
else {
validate78.errors = [{instancePath:instancePath+"/venueStatus",schemaPath:"#/properties/venueStatus/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tracking !== undefined){
let data3 = data.tracking;
const _errs10 = errors;
if(typeof data3 !== "string"){
validate78.errors = [{instancePath:instancePath+"/tracking",schemaPath:"#/properties/tracking/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data3 === "unavailable")){
validate78.errors = [{instancePath:instancePath+"/tracking",schemaPath:"#/properties/tracking/enum",keyword:"enum",params:{allowedValues: schema80.properties.tracking.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deliveredAmount !== undefined){
let data4 = data.deliveredAmount;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(func3(data4) > 78){
validate78.errors = [{instancePath:instancePath+"/deliveredAmount",schemaPath:"Amount/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern1.test(data4)){
validate78.errors = [{instancePath:instancePath+"/deliveredAmount",schemaPath:"Amount/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,77}$"},message:"must match pattern \""+"^[1-9][0-9]{0,77}$"+"\""}];
return false;
}
}
}
else {
validate78.errors = [{instancePath:instancePath+"/deliveredAmount",schemaPath:"Amount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txHash !== undefined){
let data5 = data.txHash;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data5 === "string"){
if(func3(data5) > 128){
validate78.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate78.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern19.test(data5)){
validate78.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z]+$"},message:"must match pattern \""+"^[0-9A-Za-z]+$"+"\""}];
return false;
}
}
}
}
else {
validate78.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/properties/txHash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payments !== undefined){
let data6 = data.payments;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data6)){
if(data6.length < 1){
validate78.errors = [{instancePath:instancePath+"/payments",schemaPath:"#/properties/payments/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid4 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
const _errs19 = errors;
if(!(validate79(data6[i0], {instancePath:instancePath+"/payments/" + i0,parentData:data6,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
var valid4 = _errs19 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate78.errors = [{instancePath:instancePath+"/payments",schemaPath:"#/properties/payments/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate78.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate78.errors = vErrors;
return errors === 0;
}


function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="StatusResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate77.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate77.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate78(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate77.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate77.errors = vErrors;
return errors === 0;
}

compiled.PaymentErrorResponse = validate83;
const schema87 = {"type":"object","required":["error","meta"],"properties":{"error":{"$ref":"PaymentFailure"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"PaymentErrorResponse"};
const schema88 = {"type":"object","required":["code","message"],"properties":{"code":{"$ref":"PaymentErrorCode"},"message":{"type":"string","minLength":1,"maxLength":1024},"details":{"$ref":"FailureDetails"}},"additionalProperties":false,"$id":"PaymentFailure"};
const schema89 = {"type":"string","enum":["PAYMENT_REQUIRED","PAYMENT_PENDING","NOT_CONFIGURED"],"$id":"PaymentErrorCode"};

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PaymentFailure" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))){
validate84.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "details"))){
validate84.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
let data0 = data.code;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate84.errors = [{instancePath:instancePath+"/code",schemaPath:"PaymentErrorCode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "PAYMENT_REQUIRED") || (data0 === "PAYMENT_PENDING")) || (data0 === "NOT_CONFIGURED"))){
validate84.errors = [{instancePath:instancePath+"/code",schemaPath:"PaymentErrorCode/enum",keyword:"enum",params:{allowedValues: schema89.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data1 = data.message;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate84.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate84.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate84.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
const _errs7 = errors;
if(!(validate36(data.details, {instancePath:instancePath+"/details",parentData:data,parentDataProperty:"details",rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate84.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate84.errors = vErrors;
return errors === 0;
}


function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PaymentErrorResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.error === undefined) && (missing0 = "error")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate83.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "error") || (key0 === "meta"))){
validate83.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.error !== undefined){
const _errs2 = errors;
if(!(validate84(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate83.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate83.errors = vErrors;
return errors === 0;
}

compiled.PaymentUnavailableResponse = validate88;
const schema90 = {"type":"object","required":["error","meta"],"properties":{"error":{"$ref":"PaymentUnavailable"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"PaymentUnavailableResponse"};
const schema91 = {"type":"object","required":["code","message"],"properties":{"code":{"$ref":"PaymentUnavailableCode"},"message":{"type":"string","minLength":1,"maxLength":1024},"details":{"$ref":"FailureDetails"}},"additionalProperties":false,"$id":"PaymentUnavailable"};
const schema92 = {"type":"string","enum":["PAYMENT_PENDING","NOT_CONFIGURED","OVERLOADED"],"$id":"PaymentUnavailableCode"};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PaymentUnavailable" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))){
validate89.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "details"))){
validate89.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
let data0 = data.code;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate89.errors = [{instancePath:instancePath+"/code",schemaPath:"PaymentUnavailableCode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "PAYMENT_PENDING") || (data0 === "NOT_CONFIGURED")) || (data0 === "OVERLOADED"))){
validate89.errors = [{instancePath:instancePath+"/code",schemaPath:"PaymentUnavailableCode/enum",keyword:"enum",params:{allowedValues: schema92.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data1 = data.message;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate89.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate89.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate89.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
const _errs7 = errors;
if(!(validate36(data.details, {instancePath:instancePath+"/details",parentData:data,parentDataProperty:"details",rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate89.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate89.errors = vErrors;
return errors === 0;
}


function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PaymentUnavailableResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.error === undefined) && (missing0 = "error")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate88.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "error") || (key0 === "meta"))){
validate88.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.error !== undefined){
const _errs2 = errors;
if(!(validate89(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData}))){
vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate88.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate88.errors = vErrors;
return errors === 0;
}

compiled.ResolveTokenResponse = validate93;
const schema93 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"ResolvedToken"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"ResolveTokenResponse"};
const schema94 = {"type":"object","required":["token"],"properties":{"token":{"$ref":"Token"}},"additionalProperties":false,"$id":"ResolvedToken"};

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ResolvedToken" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.token === undefined) && (missing0 = "token")){
validate94.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "token")){
validate94.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.token !== undefined){
if(!(validate15(data.token, {instancePath:instancePath+"/token",parentData:data,parentDataProperty:"token",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
}
}
}
}
else {
validate94.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate94.errors = vErrors;
return errors === 0;
}


function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ResolveTokenResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate93.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate93.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate94(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate94.errors : vErrors.concat(validate94.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate93.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate93.errors = vErrors;
return errors === 0;
}

compiled.BtcCoverageResponse = validate98;
const schema95 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"BtcCoverage"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"BtcCoverageResponse"};
const schema96 = {"type":"object","required":["chainId","filtered","coverage"],"properties":{"chainId":{"$ref":"ChainId"},"filtered":{"type":"boolean"},"coverage":{"type":"object","additionalProperties":{"type":"integer","format":"int32","minimum":1,"maximum":1000}}},"additionalProperties":false,"$id":"BtcCoverage"};

function validate99(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="BtcCoverage" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.chainId === undefined) && (missing0 = "chainId")) || ((data.filtered === undefined) && (missing0 = "filtered"))) || ((data.coverage === undefined) && (missing0 = "coverage"))){
validate99.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "chainId") || (key0 === "filtered")) || (key0 === "coverage"))){
validate99.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.chainId !== undefined){
let data0 = data.chainId;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate99.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data0 === 1) || (data0 === 10)) || (data0 === 56)) || (data0 === 130)) || (data0 === 137)) || (data0 === 324)) || (data0 === 480)) || (data0 === 999)) || (data0 === 143)) || (data0 === 8453)) || (data0 === 42161)) || (data0 === 59144)) || (data0 === 43114)) || (data0 === 4663)) || (data0 === -1)) || (data0 === -2))){
validate99.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats0.validate(data0))){
validate99.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.filtered !== undefined){
const _errs5 = errors;
if(typeof data.filtered !== "boolean"){
validate99.errors = [{instancePath:instancePath+"/filtered",schemaPath:"#/properties/filtered/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.coverage !== undefined){
let data2 = data.coverage;
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
let data3 = data2[key1];
const _errs10 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate99.errors = [{instancePath:instancePath+"/coverage/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/coverage/additionalProperties/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1000 || isNaN(data3)){
validate99.errors = [{instancePath:instancePath+"/coverage/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/coverage/additionalProperties/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate99.errors = [{instancePath:instancePath+"/coverage/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/coverage/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
else {
if(!(formats0.validate(data3))){
validate99.errors = [{instancePath:instancePath+"/coverage/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/coverage/additionalProperties/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
else {
validate99.errors = [{instancePath:instancePath+"/coverage",schemaPath:"#/properties/coverage/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate99.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate99.errors = vErrors;
return errors === 0;
}


function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="BtcCoverageResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate98.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate98.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate99(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate99.errors : vErrors.concat(validate99.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate98.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate98.errors = vErrors;
return errors === 0;
}

compiled.ChainsResponse = validate102;
const schema98 = {"type":"object","required":["data","meta"],"properties":{"data":{"type":"array","maxItems":64,"items":{"$ref":"Chain"}},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"ChainsResponse"};
const schema99 = {"type":"object","required":["chainId","name","shortName","nativeCurrency","explorerUrl"],"properties":{"chainId":{"$ref":"ChainId"},"name":{"type":"string","minLength":1,"maxLength":64},"shortName":{"type":"string","minLength":1,"maxLength":32},"nativeCurrency":{"$ref":"NativeCurrency"},"explorerUrl":{"type":"string","format":"uri","maxLength":256},"logoUrl":{"type":"string","format":"uri","maxLength":512}},"additionalProperties":false,"$id":"Chain"};
const schema101 = {"type":"object","required":["name","symbol","decimals"],"properties":{"name":{"type":"string","minLength":1,"maxLength":64},"symbol":{"type":"string","minLength":1,"maxLength":16},"decimals":{"type":"integer","format":"int32","minimum":0,"maximum":255}},"additionalProperties":false,"$id":"NativeCurrency"};
const formats38 = require("ajv-formats/dist/formats").fullFormats.uri;

function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Chain" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.chainId === undefined) && (missing0 = "chainId")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.shortName === undefined) && (missing0 = "shortName"))) || ((data.nativeCurrency === undefined) && (missing0 = "nativeCurrency"))) || ((data.explorerUrl === undefined) && (missing0 = "explorerUrl"))){
validate103.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "chainId") || (key0 === "name")) || (key0 === "shortName")) || (key0 === "nativeCurrency")) || (key0 === "explorerUrl")) || (key0 === "logoUrl"))){
validate103.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.chainId !== undefined){
let data0 = data.chainId;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate103.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data0 === 1) || (data0 === 10)) || (data0 === 56)) || (data0 === 130)) || (data0 === 137)) || (data0 === 324)) || (data0 === 480)) || (data0 === 999)) || (data0 === 143)) || (data0 === 8453)) || (data0 === 42161)) || (data0 === 59144)) || (data0 === 43114)) || (data0 === 4663)) || (data0 === -1)) || (data0 === -2))){
validate103.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats0.validate(data0))){
validate103.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate103.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate103.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shortName !== undefined){
let data2 = data.shortName;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 32){
validate103.errors = [{instancePath:instancePath+"/shortName",schemaPath:"#/properties/shortName/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate103.errors = [{instancePath:instancePath+"/shortName",schemaPath:"#/properties/shortName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/shortName",schemaPath:"#/properties/shortName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nativeCurrency !== undefined){
let data3 = data.nativeCurrency;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((((data3.name === undefined) && (missing1 = "name")) || ((data3.symbol === undefined) && (missing1 = "symbol"))) || ((data3.decimals === undefined) && (missing1 = "decimals"))){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency",schemaPath:"NativeCurrency/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs12 = errors;
for(const key1 in data3){
if(!(((key1 === "name") || (key1 === "symbol")) || (key1 === "decimals"))){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency",schemaPath:"NativeCurrency/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs12 === errors){
if(data3.name !== undefined){
let data4 = data3.name;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(func3(data4) > 64){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/name",schemaPath:"NativeCurrency/properties/name/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data4) < 1){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/name",schemaPath:"NativeCurrency/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/name",schemaPath:"NativeCurrency/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs13 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data3.symbol !== undefined){
let data5 = data3.symbol;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data5 === "string"){
if(func3(data5) > 16){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/symbol",schemaPath:"NativeCurrency/properties/symbol/maxLength",keyword:"maxLength",params:{limit: 16},message:"must NOT have more than 16 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/symbol",schemaPath:"NativeCurrency/properties/symbol/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/symbol",schemaPath:"NativeCurrency/properties/symbol/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data3.decimals !== undefined){
let data6 = data3.decimals;
const _errs17 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/decimals",schemaPath:"NativeCurrency/properties/decimals/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 255 || isNaN(data6)){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/decimals",schemaPath:"NativeCurrency/properties/decimals/maximum",keyword:"maximum",params:{comparison: "<=", limit: 255},message:"must be <= 255"}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/decimals",schemaPath:"NativeCurrency/properties/decimals/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data6))){
validate103.errors = [{instancePath:instancePath+"/nativeCurrency/decimals",schemaPath:"NativeCurrency/properties/decimals/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid3 = _errs17 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/nativeCurrency",schemaPath:"NativeCurrency/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.explorerUrl !== undefined){
let data7 = data.explorerUrl;
const _errs19 = errors;
if(errors === _errs19){
if(errors === _errs19){
if(typeof data7 === "string"){
if(func3(data7) > 256){
validate103.errors = [{instancePath:instancePath+"/explorerUrl",schemaPath:"#/properties/explorerUrl/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(!(formats38(data7))){
validate103.errors = [{instancePath:instancePath+"/explorerUrl",schemaPath:"#/properties/explorerUrl/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/explorerUrl",schemaPath:"#/properties/explorerUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logoUrl !== undefined){
let data8 = data.logoUrl;
const _errs21 = errors;
if(errors === _errs21){
if(errors === _errs21){
if(typeof data8 === "string"){
if(func3(data8) > 512){
validate103.errors = [{instancePath:instancePath+"/logoUrl",schemaPath:"#/properties/logoUrl/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(!(formats38(data8))){
validate103.errors = [{instancePath:instancePath+"/logoUrl",schemaPath:"#/properties/logoUrl/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
else {
validate103.errors = [{instancePath:instancePath+"/logoUrl",schemaPath:"#/properties/logoUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate103.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate103.errors = vErrors;
return errors === 0;
}


function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ChainsResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate102.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate102.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
let data0 = data.data;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 64){
validate102.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate103(data0[i0], {instancePath:instancePath+"/data/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate102.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs5 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate102.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate102.errors = vErrors;
return errors === 0;
}

compiled.CreateKeyResponse = validate106;
const schema102 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"CreatedKey"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"CreateKeyResponse"};
const schema103 = {"type":"object","required":["apiKey","partnerId","feeBps"],"properties":{"apiKey":{"type":"string","minLength":1,"maxLength":128},"partnerId":{"$ref":"PartnerId"},"feeBps":{"type":"integer","format":"int32","minimum":0,"maximum":100}},"additionalProperties":false,"$id":"CreatedKey"};
const schema104 = {"type":"string","minLength":1,"maxLength":64,"pattern":"^[A-Za-z0-9_-]+$","$id":"PartnerId"};
const pattern34 = new RegExp("^[A-Za-z0-9_-]+$", "u");

function validate107(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="CreatedKey" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.apiKey === undefined) && (missing0 = "apiKey")) || ((data.partnerId === undefined) && (missing0 = "partnerId"))) || ((data.feeBps === undefined) && (missing0 = "feeBps"))){
validate107.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "apiKey") || (key0 === "partnerId")) || (key0 === "feeBps"))){
validate107.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.apiKey !== undefined){
let data0 = data.apiKey;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 128){
validate107.errors = [{instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate107.errors = [{instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate107.errors = [{instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partnerId !== undefined){
let data1 = data.partnerId;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate107.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate107.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern34.test(data1)){
validate107.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate107.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.feeBps !== undefined){
let data2 = data.feeBps;
const _errs7 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate107.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs7){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 100 || isNaN(data2)){
validate107.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data2 < 0 || isNaN(data2)){
validate107.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data2))){
validate107.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate107.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate107.errors = vErrors;
return errors === 0;
}


function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="CreateKeyResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate106.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate106.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate107(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate107.errors : vErrors.concat(validate107.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate106.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate106.errors = vErrors;
return errors === 0;
}

compiled.UpdateKeyResponse = validate110;
const schema105 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"ChangedKey"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"UpdateKeyResponse"};
const schema106 = {"type":"object","properties":{"feeBps":{"$ref":"FeeBps"},"payoutAddresses":{"$ref":"PayoutAddresses"},"webhookUrl":{"type":"string","nullable":true,"maxLength":2048},"webhookSecret":{"type":"string","minLength":1,"maxLength":128}},"additionalProperties":false,"$id":"ChangedKey"};
const schema107 = {"type":"integer","format":"int32","minimum":0,"maximum":100,"$id":"FeeBps"};
const schema108 = {"type":"object","properties":{"evm":{"type":"string","maxLength":128},"solana":{"type":"string","maxLength":128},"thorchain":{"type":"string","maxLength":128}},"additionalProperties":false,"$id":"PayoutAddresses"};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ChangedKey" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "feeBps") || (key0 === "payoutAddresses")) || (key0 === "webhookUrl")) || (key0 === "webhookSecret"))){
validate111.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.feeBps !== undefined){
let data0 = data.feeBps;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate111.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 100 || isNaN(data0)){
validate111.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate111.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data0))){
validate111.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payoutAddresses !== undefined){
let data1 = data.payoutAddresses;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
const _errs8 = errors;
for(const key1 in data1){
if(!(((key1 === "evm") || (key1 === "solana")) || (key1 === "thorchain"))){
validate111.errors = [{instancePath:instancePath+"/payoutAddresses",schemaPath:"PayoutAddresses/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data1.evm !== undefined){
let data2 = data1.evm;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data2 === "string"){
if(func3(data2) > 128){
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/evm",schemaPath:"PayoutAddresses/properties/evm/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/evm",schemaPath:"PayoutAddresses/properties/evm/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs9 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.solana !== undefined){
let data3 = data1.solana;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data3 === "string"){
if(func3(data3) > 128){
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/solana",schemaPath:"PayoutAddresses/properties/solana/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/solana",schemaPath:"PayoutAddresses/properties/solana/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs11 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.thorchain !== undefined){
let data4 = data1.thorchain;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(func3(data4) > 128){
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddresses/properties/thorchain/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
else {
validate111.errors = [{instancePath:instancePath+"/payoutAddresses/thorchain",schemaPath:"PayoutAddresses/properties/thorchain/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs13 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate111.errors = [{instancePath:instancePath+"/payoutAddresses",schemaPath:"PayoutAddresses/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.webhookUrl !== undefined){
let data5 = data.webhookUrl;
const _errs15 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate111.errors = [{instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs15){
if(typeof data5 === "string"){
if(func3(data5) > 2048){
validate111.errors = [{instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.webhookSecret !== undefined){
let data6 = data.webhookSecret;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data6 === "string"){
if(func3(data6) > 128){
validate111.errors = [{instancePath:instancePath+"/webhookSecret",schemaPath:"#/properties/webhookSecret/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data6) < 1){
validate111.errors = [{instancePath:instancePath+"/webhookSecret",schemaPath:"#/properties/webhookSecret/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate111.errors = [{instancePath:instancePath+"/webhookSecret",schemaPath:"#/properties/webhookSecret/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate111.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate111.errors = vErrors;
return errors === 0;
}


function validate110(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="UpdateKeyResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate110.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate110.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate111(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate111.errors : vErrors.concat(validate111.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate110.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate110.errors = vErrors;
return errors === 0;
}

compiled.ReadKeyResponse = validate114;
const schema109 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"KeyAccount"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"ReadKeyResponse"};
const schema110 = {"type":"object","required":["partnerId","tier","feeBps","payoutAddresses","webhookUrl","limits","balances","createdAt"],"properties":{"partnerId":{"$ref":"PartnerId"},"tier":{"type":"string","enum":["self-serve","enterprise"]},"feeBps":{"type":"integer","format":"int32","nullable":true,"minimum":0,"maximum":100},"payoutAddresses":{"type":"array","maxItems":6,"items":{"$ref":"StandingAddress"}},"webhookUrl":{"type":"string","nullable":true,"maxLength":2048},"limits":{"$ref":"KeyLimits"},"balances":{"type":"array","maxItems":100000,"items":{"$ref":"Balance"}},"createdAt":{"type":"number","format":"double","minimum":0}},"additionalProperties":false,"$id":"KeyAccount"};
const schema114 = {"type":"object","required":["requestsPerMinute","requestsPerAddressPerMinute"],"properties":{"requestsPerMinute":{"type":"integer","format":"int32","minimum":0,"maximum":1000000000},"requestsPerAddressPerMinute":{"type":"integer","format":"int32","nullable":true,"minimum":1,"maximum":1000000000}},"additionalProperties":false,"$id":"KeyLimits"};
const schema112 = {"type":"object","required":["ecosystem","address","countsFrom","counts"],"properties":{"ecosystem":{"$ref":"PayoutEcosystem"},"address":{"type":"string","minLength":1,"maxLength":128},"countsFrom":{"type":"number","format":"double","minimum":0},"counts":{"type":"boolean"}},"additionalProperties":false,"$id":"StandingAddress"};
const schema113 = {"type":"string","enum":["evm","solana","thorchain"],"$id":"PayoutEcosystem"};

function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="StandingAddress" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.ecosystem === undefined) && (missing0 = "ecosystem")) || ((data.address === undefined) && (missing0 = "address"))) || ((data.countsFrom === undefined) && (missing0 = "countsFrom"))) || ((data.counts === undefined) && (missing0 = "counts"))){
validate116.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "ecosystem") || (key0 === "address")) || (key0 === "countsFrom")) || (key0 === "counts"))){
validate116.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.ecosystem !== undefined){
let data0 = data.ecosystem;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate116.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "evm") || (data0 === "solana")) || (data0 === "thorchain"))){
validate116.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/enum",keyword:"enum",params:{allowedValues: schema113.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.address !== undefined){
let data1 = data.address;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 128){
validate116.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate116.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate116.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.countsFrom !== undefined){
let data2 = data.countsFrom;
const _errs7 = errors;
if(errors === _errs7){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate116.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data2))){
validate116.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
else {
validate116.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.counts !== undefined){
const _errs9 = errors;
if(typeof data.counts !== "boolean"){
validate116.errors = [{instancePath:instancePath+"/counts",schemaPath:"#/properties/counts/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate116.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate116.errors = vErrors;
return errors === 0;
}

const schema115 = {"type":"object","required":["ecosystem","chainId","token","earned","paid"],"properties":{"ecosystem":{"$ref":"PayoutEcosystem"},"chainId":{"$ref":"ChainId"},"token":{"type":"string","minLength":1,"maxLength":128},"earned":{"$ref":"AmountOrZero"},"paid":{"$ref":"AmountOrZero"}},"additionalProperties":false,"$id":"Balance"};

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Balance" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.ecosystem === undefined) && (missing0 = "ecosystem")) || ((data.chainId === undefined) && (missing0 = "chainId"))) || ((data.token === undefined) && (missing0 = "token"))) || ((data.earned === undefined) && (missing0 = "earned"))) || ((data.paid === undefined) && (missing0 = "paid"))){
validate118.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "ecosystem") || (key0 === "chainId")) || (key0 === "token")) || (key0 === "earned")) || (key0 === "paid"))){
validate118.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.ecosystem !== undefined){
let data0 = data.ecosystem;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate118.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "evm") || (data0 === "solana")) || (data0 === "thorchain"))){
validate118.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/enum",keyword:"enum",params:{allowedValues: schema113.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data1 = data.chainId;
const _errs5 = errors;
const _errs6 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate118.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(!((((((((((((((((data1 === 1) || (data1 === 10)) || (data1 === 56)) || (data1 === 130)) || (data1 === 137)) || (data1 === 324)) || (data1 === 480)) || (data1 === 999)) || (data1 === 143)) || (data1 === 8453)) || (data1 === 42161)) || (data1 === 59144)) || (data1 === 43114)) || (data1 === 4663)) || (data1 === -1)) || (data1 === -2))){
validate118.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/enum",keyword:"enum",params:{allowedValues: schema18.enum},message:"must be equal to one of the allowed values"}];
return false;
}
if(errors === _errs6){
if((typeof data1 == "number") && (isFinite(data1))){
if(!(formats0.validate(data1))){
validate118.errors = [{instancePath:instancePath+"/chainId",schemaPath:"ChainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
let data2 = data.token;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func3(data2) > 128){
validate118.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate118.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate118.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.earned !== undefined){
let data3 = data.earned;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data3 === "string"){
if(func3(data3) > 78){
validate118.errors = [{instancePath:instancePath+"/earned",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data3)){
validate118.errors = [{instancePath:instancePath+"/earned",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate118.errors = [{instancePath:instancePath+"/earned",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.paid !== undefined){
let data4 = data.paid;
const _errs13 = errors;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data4 === "string"){
if(func3(data4) > 78){
validate118.errors = [{instancePath:instancePath+"/paid",schemaPath:"AmountOrZero/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern2.test(data4)){
validate118.errors = [{instancePath:instancePath+"/paid",schemaPath:"AmountOrZero/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,77})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,77})$"+"\""}];
return false;
}
}
}
else {
validate118.errors = [{instancePath:instancePath+"/paid",schemaPath:"AmountOrZero/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate118.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate118.errors = vErrors;
return errors === 0;
}


function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="KeyAccount" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.partnerId === undefined) && (missing0 = "partnerId")) || ((data.tier === undefined) && (missing0 = "tier"))) || ((data.feeBps === undefined) && (missing0 = "feeBps"))) || ((data.payoutAddresses === undefined) && (missing0 = "payoutAddresses"))) || ((data.webhookUrl === undefined) && (missing0 = "webhookUrl"))) || ((data.limits === undefined) && (missing0 = "limits"))) || ((data.balances === undefined) && (missing0 = "balances"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))){
validate115.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "partnerId") || (key0 === "tier")) || (key0 === "feeBps")) || (key0 === "payoutAddresses")) || (key0 === "webhookUrl")) || (key0 === "limits")) || (key0 === "balances")) || (key0 === "createdAt"))){
validate115.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.partnerId !== undefined){
let data0 = data.partnerId;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 64){
validate115.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate115.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern34.test(data0)){
validate115.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tier !== undefined){
let data1 = data.tier;
const _errs5 = errors;
if(typeof data1 !== "string"){
validate115.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data1 === "self-serve") || (data1 === "enterprise"))){
validate115.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/enum",keyword:"enum",params:{allowedValues: schema110.properties.tier.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.feeBps !== undefined){
let data2 = data.feeBps;
const _errs7 = errors;
if((!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))) && (data2 !== null)){
validate115.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs7){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 100 || isNaN(data2)){
validate115.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data2 < 0 || isNaN(data2)){
validate115.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data2))){
validate115.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"#/properties/feeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payoutAddresses !== undefined){
let data3 = data.payoutAddresses;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data3)){
if(data3.length > 6){
validate115.errors = [{instancePath:instancePath+"/payoutAddresses",schemaPath:"#/properties/payoutAddresses/maxItems",keyword:"maxItems",params:{limit: 6},message:"must NOT have more than 6 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(validate116(data3[i0], {instancePath:instancePath+"/payoutAddresses/" + i0,parentData:data3,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid2 = _errs12 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/payoutAddresses",schemaPath:"#/properties/payoutAddresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.webhookUrl !== undefined){
let data5 = data.webhookUrl;
const _errs13 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate115.errors = [{instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs13){
if(typeof data5 === "string"){
if(func3(data5) > 2048){
validate115.errors = [{instancePath:instancePath+"/webhookUrl",schemaPath:"#/properties/webhookUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limits !== undefined){
let data6 = data.limits;
const _errs16 = errors;
const _errs17 = errors;
if(errors === _errs17){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing1;
if(((data6.requestsPerMinute === undefined) && (missing1 = "requestsPerMinute")) || ((data6.requestsPerAddressPerMinute === undefined) && (missing1 = "requestsPerAddressPerMinute"))){
validate115.errors = [{instancePath:instancePath+"/limits",schemaPath:"KeyLimits/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs19 = errors;
for(const key1 in data6){
if(!((key1 === "requestsPerMinute") || (key1 === "requestsPerAddressPerMinute"))){
validate115.errors = [{instancePath:instancePath+"/limits",schemaPath:"KeyLimits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs19 === errors){
if(data6.requestsPerMinute !== undefined){
let data7 = data6.requestsPerMinute;
const _errs20 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"KeyLimits/properties/requestsPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs20){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 1000000000 || isNaN(data7)){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"KeyLimits/properties/requestsPerMinute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000},message:"must be <= 1000000000"}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"KeyLimits/properties/requestsPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data7))){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"KeyLimits/properties/requestsPerMinute/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid4 = _errs20 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data6.requestsPerAddressPerMinute !== undefined){
let data8 = data6.requestsPerAddressPerMinute;
const _errs22 = errors;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerAddressPerMinute",schemaPath:"KeyLimits/properties/requestsPerAddressPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs22){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 1000000000 || isNaN(data8)){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerAddressPerMinute",schemaPath:"KeyLimits/properties/requestsPerAddressPerMinute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000},message:"must be <= 1000000000"}];
return false;
}
else {
if(data8 < 1 || isNaN(data8)){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerAddressPerMinute",schemaPath:"KeyLimits/properties/requestsPerAddressPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
else {
if(!(formats0.validate(data8))){
validate115.errors = [{instancePath:instancePath+"/limits/requestsPerAddressPerMinute",schemaPath:"KeyLimits/properties/requestsPerAddressPerMinute/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid4 = _errs22 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/limits",schemaPath:"KeyLimits/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.balances !== undefined){
let data9 = data.balances;
const _errs25 = errors;
if(errors === _errs25){
if(Array.isArray(data9)){
if(data9.length > 100000){
validate115.errors = [{instancePath:instancePath+"/balances",schemaPath:"#/properties/balances/maxItems",keyword:"maxItems",params:{limit: 100000},message:"must NOT have more than 100000 items"}];
return false;
}
else {
var valid5 = true;
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
const _errs27 = errors;
if(!(validate118(data9[i1], {instancePath:instancePath+"/balances/" + i1,parentData:data9,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid5 = _errs27 === errors;
if(!valid5){
break;
}
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/balances",schemaPath:"#/properties/balances/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data11 = data.createdAt;
const _errs28 = errors;
if(errors === _errs28){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
validate115.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data11))){
validate115.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate115.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate115.errors = vErrors;
return errors === 0;
}


function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="ReadKeyResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate114.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate114.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate115(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate114.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate114.errors = vErrors;
return errors === 0;
}

compiled.KeyEventsResponse = validate122;
const schema120 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"KeyEvents"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"KeyEventsResponse"};
const schema121 = {"type":"object","required":["events","next","hasMore"],"properties":{"events":{"type":"array","maxItems":200,"items":{"$ref":"PartnerEvent"}},"next":{"type":"string","minLength":1,"maxLength":15,"pattern":"^[0-9]+$"},"hasMore":{"type":"boolean"}},"additionalProperties":false,"$id":"KeyEvents"};
const schema122 = {"type":"object","required":["id","event","requestId","createdAt","delivery"],"properties":{"id":{"type":"string","minLength":1,"maxLength":15,"pattern":"^[0-9]+$"},"event":{"type":"string","minLength":1,"maxLength":64},"requestId":{"type":"string","maxLength":64},"createdAt":{"type":"number","format":"double","minimum":0},"swap":{"$ref":"SwapOutcome"},"fee":{"$ref":"FeeChange"},"payoutAddress":{"$ref":"PayoutAddressChange"},"webhook":{"$ref":"WebhookChange"},"removedWebhook":{"$ref":"WebhookRemoval"},"delivery":{"$ref":"WebhookDelivery"}},"additionalProperties":false,"$id":"PartnerEvent"};
const schema123 = {"type":"object","required":["venue","deliveredOut","slippageBps"],"properties":{"venue":{"type":"string","maxLength":64},"deliveredOut":{"type":"string","nullable":true,"maxLength":78,"pattern":"^[0-9]+$"},"slippageBps":{"type":"integer","format":"int32","nullable":true,"minimum":0,"maximum":10000}},"additionalProperties":false,"$id":"SwapOutcome"};
const schema128 = {"type":"object","required":["webhookUrl","before"],"properties":{"webhookUrl":{"type":"string","maxLength":2048},"before":{"type":"string","nullable":true,"maxLength":2048}},"additionalProperties":false,"$id":"WebhookChange"};
const schema129 = {"type":"object","required":["before"],"properties":{"before":{"type":"string","maxLength":2048}},"additionalProperties":false,"$id":"WebhookRemoval"};
const schema130 = {"type":"object","required":["state","attemptedAt","httpStatus","failure"],"properties":{"state":{"type":"string","enum":["none","due","started","answered","failed"]},"attemptedAt":{"type":"number","format":"double","nullable":true,"minimum":0},"httpStatus":{"type":"integer","format":"int32","nullable":true,"minimum":100,"maximum":999},"failure":{"type":"string","nullable":true,"maxLength":64}},"additionalProperties":false,"$id":"WebhookDelivery"};
const pattern38 = new RegExp("^[0-9]+$", "u");
const schema124 = {"type":"object","required":["feeBps","before"],"properties":{"feeBps":{"$ref":"FeeBps"},"before":{"type":"integer","format":"int32","nullable":true,"minimum":0,"maximum":100}},"additionalProperties":false,"$id":"FeeChange"};

function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="FeeChange" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.feeBps === undefined) && (missing0 = "feeBps")) || ((data.before === undefined) && (missing0 = "before"))){
validate125.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "feeBps") || (key0 === "before"))){
validate125.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.feeBps !== undefined){
let data0 = data.feeBps;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate125.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 100 || isNaN(data0)){
validate125.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate125.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data0))){
validate125.errors = [{instancePath:instancePath+"/feeBps",schemaPath:"FeeBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.before !== undefined){
let data1 = data.before;
const _errs5 = errors;
if((!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))) && (data1 !== null)){
validate125.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 100 || isNaN(data1)){
validate125.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data1 < 0 || isNaN(data1)){
validate125.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data1))){
validate125.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate125.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate125.errors = vErrors;
return errors === 0;
}

const schema126 = {"type":"object","required":["ecosystem","address","before","countsFrom"],"properties":{"ecosystem":{"$ref":"PayoutEcosystem"},"address":{"type":"string","minLength":1,"maxLength":128},"before":{"type":"string","nullable":true,"maxLength":128},"countsFrom":{"type":"number","format":"double","minimum":0}},"additionalProperties":false,"$id":"PayoutAddressChange"};

function validate127(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PayoutAddressChange" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.ecosystem === undefined) && (missing0 = "ecosystem")) || ((data.address === undefined) && (missing0 = "address"))) || ((data.before === undefined) && (missing0 = "before"))) || ((data.countsFrom === undefined) && (missing0 = "countsFrom"))){
validate127.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "ecosystem") || (key0 === "address")) || (key0 === "before")) || (key0 === "countsFrom"))){
validate127.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.ecosystem !== undefined){
let data0 = data.ecosystem;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate127.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data0 === "evm") || (data0 === "solana")) || (data0 === "thorchain"))){
validate127.errors = [{instancePath:instancePath+"/ecosystem",schemaPath:"PayoutEcosystem/enum",keyword:"enum",params:{allowedValues: schema113.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.address !== undefined){
let data1 = data.address;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 128){
validate127.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate127.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate127.errors = [{instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.before !== undefined){
let data2 = data.before;
const _errs7 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate127.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 128){
validate127.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.countsFrom !== undefined){
let data3 = data.countsFrom;
const _errs10 = errors;
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate127.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data3))){
validate127.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
else {
validate127.errors = [{instancePath:instancePath+"/countsFrom",schemaPath:"#/properties/countsFrom/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate127.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate127.errors = vErrors;
return errors === 0;
}


function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="PartnerEvent" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.id === undefined) && (missing0 = "id")) || ((data.event === undefined) && (missing0 = "event"))) || ((data.requestId === undefined) && (missing0 = "requestId"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.delivery === undefined) && (missing0 = "delivery"))){
validate124.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema122.properties, key0))){
validate124.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 15){
validate124.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 15},message:"must NOT have more than 15 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate124.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern38.test(data0)){
validate124.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"},message:"must match pattern \""+"^[0-9]+$"+"\""}];
return false;
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.event !== undefined){
let data1 = data.event;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate124.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate124.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requestId !== undefined){
let data2 = data.requestId;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func3(data2) > 64){
validate124.errors = [{instancePath:instancePath+"/requestId",schemaPath:"#/properties/requestId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate124.errors = [{instancePath:instancePath+"/requestId",schemaPath:"#/properties/requestId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data3 = data.createdAt;
const _errs8 = errors;
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate124.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data3))){
validate124.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.swap !== undefined){
let data4 = data.swap;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing1;
if((((data4.venue === undefined) && (missing1 = "venue")) || ((data4.deliveredOut === undefined) && (missing1 = "deliveredOut"))) || ((data4.slippageBps === undefined) && (missing1 = "slippageBps"))){
validate124.errors = [{instancePath:instancePath+"/swap",schemaPath:"SwapOutcome/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs13 = errors;
for(const key1 in data4){
if(!(((key1 === "venue") || (key1 === "deliveredOut")) || (key1 === "slippageBps"))){
validate124.errors = [{instancePath:instancePath+"/swap",schemaPath:"SwapOutcome/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs13 === errors){
if(data4.venue !== undefined){
let data5 = data4.venue;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(func3(data5) > 64){
validate124.errors = [{instancePath:instancePath+"/swap/venue",schemaPath:"SwapOutcome/properties/venue/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate124.errors = [{instancePath:instancePath+"/swap/venue",schemaPath:"SwapOutcome/properties/venue/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs14 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data4.deliveredOut !== undefined){
let data6 = data4.deliveredOut;
const _errs16 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate124.errors = [{instancePath:instancePath+"/swap/deliveredOut",schemaPath:"SwapOutcome/properties/deliveredOut/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs16){
if(typeof data6 === "string"){
if(func3(data6) > 78){
validate124.errors = [{instancePath:instancePath+"/swap/deliveredOut",schemaPath:"SwapOutcome/properties/deliveredOut/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern38.test(data6)){
validate124.errors = [{instancePath:instancePath+"/swap/deliveredOut",schemaPath:"SwapOutcome/properties/deliveredOut/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"},message:"must match pattern \""+"^[0-9]+$"+"\""}];
return false;
}
}
}
}
var valid2 = _errs16 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data4.slippageBps !== undefined){
let data7 = data4.slippageBps;
const _errs19 = errors;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (data7 !== null)){
validate124.errors = [{instancePath:instancePath+"/swap/slippageBps",schemaPath:"SwapOutcome/properties/slippageBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs19){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 10000 || isNaN(data7)){
validate124.errors = [{instancePath:instancePath+"/swap/slippageBps",schemaPath:"SwapOutcome/properties/slippageBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate124.errors = [{instancePath:instancePath+"/swap/slippageBps",schemaPath:"SwapOutcome/properties/slippageBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data7))){
validate124.errors = [{instancePath:instancePath+"/swap/slippageBps",schemaPath:"SwapOutcome/properties/slippageBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid2 = _errs19 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/swap",schemaPath:"SwapOutcome/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fee !== undefined){
const _errs22 = errors;
if(!(validate125(data.fee, {instancePath:instancePath+"/fee",parentData:data,parentDataProperty:"fee",rootData}))){
vErrors = vErrors === null ? validate125.errors : vErrors.concat(validate125.errors);
errors = vErrors.length;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payoutAddress !== undefined){
const _errs23 = errors;
if(!(validate127(data.payoutAddress, {instancePath:instancePath+"/payoutAddress",parentData:data,parentDataProperty:"payoutAddress",rootData}))){
vErrors = vErrors === null ? validate127.errors : vErrors.concat(validate127.errors);
errors = vErrors.length;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.webhook !== undefined){
let data10 = data.webhook;
const _errs24 = errors;
const _errs25 = errors;
if(errors === _errs25){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing2;
if(((data10.webhookUrl === undefined) && (missing2 = "webhookUrl")) || ((data10.before === undefined) && (missing2 = "before"))){
validate124.errors = [{instancePath:instancePath+"/webhook",schemaPath:"WebhookChange/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs27 = errors;
for(const key2 in data10){
if(!((key2 === "webhookUrl") || (key2 === "before"))){
validate124.errors = [{instancePath:instancePath+"/webhook",schemaPath:"WebhookChange/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs27 === errors){
if(data10.webhookUrl !== undefined){
let data11 = data10.webhookUrl;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data11 === "string"){
if(func3(data11) > 2048){
validate124.errors = [{instancePath:instancePath+"/webhook/webhookUrl",schemaPath:"WebhookChange/properties/webhookUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
}
else {
validate124.errors = [{instancePath:instancePath+"/webhook/webhookUrl",schemaPath:"WebhookChange/properties/webhookUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs28 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data10.before !== undefined){
let data12 = data10.before;
const _errs30 = errors;
if((typeof data12 !== "string") && (data12 !== null)){
validate124.errors = [{instancePath:instancePath+"/webhook/before",schemaPath:"WebhookChange/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs30){
if(typeof data12 === "string"){
if(func3(data12) > 2048){
validate124.errors = [{instancePath:instancePath+"/webhook/before",schemaPath:"WebhookChange/properties/before/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
}
}
var valid4 = _errs30 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/webhook",schemaPath:"WebhookChange/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.removedWebhook !== undefined){
let data13 = data.removedWebhook;
const _errs33 = errors;
const _errs34 = errors;
if(errors === _errs34){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing3;
if((data13.before === undefined) && (missing3 = "before")){
validate124.errors = [{instancePath:instancePath+"/removedWebhook",schemaPath:"WebhookRemoval/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs36 = errors;
for(const key3 in data13){
if(!(key3 === "before")){
validate124.errors = [{instancePath:instancePath+"/removedWebhook",schemaPath:"WebhookRemoval/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs36 === errors){
if(data13.before !== undefined){
let data14 = data13.before;
const _errs37 = errors;
if(errors === _errs37){
if(typeof data14 === "string"){
if(func3(data14) > 2048){
validate124.errors = [{instancePath:instancePath+"/removedWebhook/before",schemaPath:"WebhookRemoval/properties/before/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
}
else {
validate124.errors = [{instancePath:instancePath+"/removedWebhook/before",schemaPath:"WebhookRemoval/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/removedWebhook",schemaPath:"WebhookRemoval/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delivery !== undefined){
let data15 = data.delivery;
const _errs39 = errors;
const _errs40 = errors;
if(errors === _errs40){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing4;
if(((((data15.state === undefined) && (missing4 = "state")) || ((data15.attemptedAt === undefined) && (missing4 = "attemptedAt"))) || ((data15.httpStatus === undefined) && (missing4 = "httpStatus"))) || ((data15.failure === undefined) && (missing4 = "failure"))){
validate124.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
const _errs42 = errors;
for(const key4 in data15){
if(!((((key4 === "state") || (key4 === "attemptedAt")) || (key4 === "httpStatus")) || (key4 === "failure"))){
validate124.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs42 === errors){
if(data15.state !== undefined){
let data16 = data15.state;
const _errs43 = errors;
if(typeof data16 !== "string"){
validate124.errors = [{instancePath:instancePath+"/delivery/state",schemaPath:"WebhookDelivery/properties/state/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((data16 === "none") || (data16 === "due")) || (data16 === "started")) || (data16 === "answered")) || (data16 === "failed"))){
validate124.errors = [{instancePath:instancePath+"/delivery/state",schemaPath:"WebhookDelivery/properties/state/enum",keyword:"enum",params:{allowedValues: schema130.properties.state.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid8 = _errs43 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data15.attemptedAt !== undefined){
let data17 = data15.attemptedAt;
const _errs45 = errors;
if((!((typeof data17 == "number") && (isFinite(data17)))) && (data17 !== null)){
validate124.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(errors === _errs45){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 0 || isNaN(data17)){
validate124.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data17))){
validate124.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
}
var valid8 = _errs45 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data15.httpStatus !== undefined){
let data18 = data15.httpStatus;
const _errs48 = errors;
if((!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))) && (data18 !== null)){
validate124.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs48){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 999 || isNaN(data18)){
validate124.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999},message:"must be <= 999"}];
return false;
}
else {
if(data18 < 100 || isNaN(data18)){
validate124.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"}];
return false;
}
else {
if(!(formats0.validate(data18))){
validate124.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid8 = _errs48 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data15.failure !== undefined){
let data19 = data15.failure;
const _errs51 = errors;
if((typeof data19 !== "string") && (data19 !== null)){
validate124.errors = [{instancePath:instancePath+"/delivery/failure",schemaPath:"WebhookDelivery/properties/failure/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs51){
if(typeof data19 === "string"){
if(func3(data19) > 64){
validate124.errors = [{instancePath:instancePath+"/delivery/failure",schemaPath:"WebhookDelivery/properties/failure/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
}
var valid8 = _errs51 === errors;
}
else {
var valid8 = true;
}
}
}
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate124.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate124.errors = vErrors;
return errors === 0;
}


function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="KeyEvents" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.events === undefined) && (missing0 = "events")) || ((data.next === undefined) && (missing0 = "next"))) || ((data.hasMore === undefined) && (missing0 = "hasMore"))){
validate123.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "events") || (key0 === "next")) || (key0 === "hasMore"))){
validate123.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.events !== undefined){
let data0 = data.events;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 200){
validate123.errors = [{instancePath:instancePath+"/events",schemaPath:"#/properties/events/maxItems",keyword:"maxItems",params:{limit: 200},message:"must NOT have more than 200 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate124(data0[i0], {instancePath:instancePath+"/events/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate123.errors = [{instancePath:instancePath+"/events",schemaPath:"#/properties/events/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.next !== undefined){
let data2 = data.next;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(func3(data2) > 15){
validate123.errors = [{instancePath:instancePath+"/next",schemaPath:"#/properties/next/maxLength",keyword:"maxLength",params:{limit: 15},message:"must NOT have more than 15 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate123.errors = [{instancePath:instancePath+"/next",schemaPath:"#/properties/next/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern38.test(data2)){
validate123.errors = [{instancePath:instancePath+"/next",schemaPath:"#/properties/next/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"},message:"must match pattern \""+"^[0-9]+$"+"\""}];
return false;
}
}
}
}
else {
validate123.errors = [{instancePath:instancePath+"/next",schemaPath:"#/properties/next/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasMore !== undefined){
const _errs7 = errors;
if(typeof data.hasMore !== "boolean"){
validate123.errors = [{instancePath:instancePath+"/hasMore",schemaPath:"#/properties/hasMore/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate123.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate123.errors = vErrors;
return errors === 0;
}


function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="KeyEventsResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate122.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate122.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate123(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate123.errors : vErrors.concat(validate123.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate122.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate122.errors = vErrors;
return errors === 0;
}

compiled.WebhookTestResponse = validate132;
const schema131 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"WebhookTest"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"WebhookTestResponse"};
const schema132 = {"type":"object","required":["sent","delivery"],"properties":{"sent":{"$ref":"WebhookEvent"},"delivery":{"$ref":"WebhookDelivery"}},"additionalProperties":false,"$id":"WebhookTest"};
const schema133 = {"type":"object","required":["event","requestId","partnerId","venue","deliveredOut","slippageBps","ts"],"properties":{"event":{"type":"string","enum":["swap.settled","swap.refunded","swap.failed","webhook.test"]},"requestId":{"type":"string","maxLength":64},"partnerId":{"$ref":"PartnerId"},"venue":{"type":"string","maxLength":64},"deliveredOut":{"type":"string","nullable":true,"maxLength":78,"pattern":"^[0-9]+$"},"slippageBps":{"type":"integer","format":"int32","nullable":true,"minimum":0,"maximum":10000},"ts":{"type":"number","format":"double","minimum":0}},"additionalProperties":false,"$id":"WebhookEvent"};

function validate134(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="WebhookEvent" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.event === undefined) && (missing0 = "event")) || ((data.requestId === undefined) && (missing0 = "requestId"))) || ((data.partnerId === undefined) && (missing0 = "partnerId"))) || ((data.venue === undefined) && (missing0 = "venue"))) || ((data.deliveredOut === undefined) && (missing0 = "deliveredOut"))) || ((data.slippageBps === undefined) && (missing0 = "slippageBps"))) || ((data.ts === undefined) && (missing0 = "ts"))){
validate134.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "event") || (key0 === "requestId")) || (key0 === "partnerId")) || (key0 === "venue")) || (key0 === "deliveredOut")) || (key0 === "slippageBps")) || (key0 === "ts"))){
validate134.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.event !== undefined){
let data0 = data.event;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate134.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data0 === "swap.settled") || (data0 === "swap.refunded")) || (data0 === "swap.failed")) || (data0 === "webhook.test"))){
validate134.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/enum",keyword:"enum",params:{allowedValues: schema133.properties.event.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requestId !== undefined){
let data1 = data.requestId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate134.errors = [{instancePath:instancePath+"/requestId",schemaPath:"#/properties/requestId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate134.errors = [{instancePath:instancePath+"/requestId",schemaPath:"#/properties/requestId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partnerId !== undefined){
let data2 = data.partnerId;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func3(data2) > 64){
validate134.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate134.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern34.test(data2)){
validate134.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate134.errors = [{instancePath:instancePath+"/partnerId",schemaPath:"PartnerId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venue !== undefined){
let data3 = data.venue;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data3 === "string"){
if(func3(data3) > 64){
validate134.errors = [{instancePath:instancePath+"/venue",schemaPath:"#/properties/venue/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
else {
validate134.errors = [{instancePath:instancePath+"/venue",schemaPath:"#/properties/venue/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deliveredOut !== undefined){
let data4 = data.deliveredOut;
const _errs11 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate134.errors = [{instancePath:instancePath+"/deliveredOut",schemaPath:"#/properties/deliveredOut/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs11){
if(typeof data4 === "string"){
if(func3(data4) > 78){
validate134.errors = [{instancePath:instancePath+"/deliveredOut",schemaPath:"#/properties/deliveredOut/maxLength",keyword:"maxLength",params:{limit: 78},message:"must NOT have more than 78 characters"}];
return false;
}
else {
if(!pattern38.test(data4)){
validate134.errors = [{instancePath:instancePath+"/deliveredOut",schemaPath:"#/properties/deliveredOut/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"},message:"must match pattern \""+"^[0-9]+$"+"\""}];
return false;
}
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.slippageBps !== undefined){
let data5 = data.slippageBps;
const _errs14 = errors;
if((!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))) && (data5 !== null)){
validate134.errors = [{instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs14){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 10000 || isNaN(data5)){
validate134.errors = [{instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data5 < 0 || isNaN(data5)){
validate134.errors = [{instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats0.validate(data5))){
validate134.errors = [{instancePath:instancePath+"/slippageBps",schemaPath:"#/properties/slippageBps/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ts !== undefined){
let data6 = data.ts;
const _errs17 = errors;
if(errors === _errs17){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate134.errors = [{instancePath:instancePath+"/ts",schemaPath:"#/properties/ts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data6))){
validate134.errors = [{instancePath:instancePath+"/ts",schemaPath:"#/properties/ts/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
else {
validate134.errors = [{instancePath:instancePath+"/ts",schemaPath:"#/properties/ts/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate134.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate134.errors = vErrors;
return errors === 0;
}


function validate133(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="WebhookTest" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.sent === undefined) && (missing0 = "sent")) || ((data.delivery === undefined) && (missing0 = "delivery"))){
validate133.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "sent") || (key0 === "delivery"))){
validate133.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.sent !== undefined){
const _errs2 = errors;
if(!(validate134(data.sent, {instancePath:instancePath+"/sent",parentData:data,parentDataProperty:"sent",rootData}))){
vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delivery !== undefined){
let data1 = data.delivery;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((((data1.state === undefined) && (missing1 = "state")) || ((data1.attemptedAt === undefined) && (missing1 = "attemptedAt"))) || ((data1.httpStatus === undefined) && (missing1 = "httpStatus"))) || ((data1.failure === undefined) && (missing1 = "failure"))){
validate133.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs6 = errors;
for(const key1 in data1){
if(!((((key1 === "state") || (key1 === "attemptedAt")) || (key1 === "httpStatus")) || (key1 === "failure"))){
validate133.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs6 === errors){
if(data1.state !== undefined){
let data2 = data1.state;
const _errs7 = errors;
if(typeof data2 !== "string"){
validate133.errors = [{instancePath:instancePath+"/delivery/state",schemaPath:"WebhookDelivery/properties/state/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((data2 === "none") || (data2 === "due")) || (data2 === "started")) || (data2 === "answered")) || (data2 === "failed"))){
validate133.errors = [{instancePath:instancePath+"/delivery/state",schemaPath:"WebhookDelivery/properties/state/enum",keyword:"enum",params:{allowedValues: schema130.properties.state.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.attemptedAt !== undefined){
let data3 = data1.attemptedAt;
const _errs9 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate133.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(errors === _errs9){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate133.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
else {
if(!(formats10.validate(data3))){
validate133.errors = [{instancePath:instancePath+"/delivery/attemptedAt",schemaPath:"WebhookDelivery/properties/attemptedAt/format",keyword:"format",params:{format: "double"},message:"must match format \""+"double"+"\""}];
return false;
}
}
}
}
var valid2 = _errs9 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.httpStatus !== undefined){
let data4 = data1.httpStatus;
const _errs12 = errors;
if((!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))) && (data4 !== null)){
validate133.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 999 || isNaN(data4)){
validate133.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999},message:"must be <= 999"}];
return false;
}
else {
if(data4 < 100 || isNaN(data4)){
validate133.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"}];
return false;
}
else {
if(!(formats0.validate(data4))){
validate133.errors = [{instancePath:instancePath+"/delivery/httpStatus",schemaPath:"WebhookDelivery/properties/httpStatus/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid2 = _errs12 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.failure !== undefined){
let data5 = data1.failure;
const _errs15 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate133.errors = [{instancePath:instancePath+"/delivery/failure",schemaPath:"WebhookDelivery/properties/failure/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(errors === _errs15){
if(typeof data5 === "string"){
if(func3(data5) > 64){
validate133.errors = [{instancePath:instancePath+"/delivery/failure",schemaPath:"WebhookDelivery/properties/failure/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
}
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
else {
validate133.errors = [{instancePath:instancePath+"/delivery",schemaPath:"WebhookDelivery/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate133.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate133.errors = vErrors;
return errors === 0;
}


function validate132(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="WebhookTestResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate132.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate132.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate133(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate132.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate132.errors = vErrors;
return errors === 0;
}

compiled.HealthResponse = validate138;
const schema136 = {"type":"object","required":["data","meta"],"properties":{"data":{"$ref":"Health"},"meta":{"$ref":"Meta"}},"additionalProperties":false,"$id":"HealthResponse"};
const schema137 = {"type":"object","required":["status","venues"],"properties":{"status":{"type":"string","enum":["ok","degraded"]},"venues":{"type":"array","maxItems":64,"items":{"$ref":"VenueHealth"}}},"additionalProperties":false,"$id":"Health"};
const schema138 = {"type":"object","required":["id","name","healthy"],"properties":{"id":{"$ref":"VenueId"},"name":{"type":"string","minLength":1,"maxLength":64},"healthy":{"type":"boolean"},"reason":{"type":"string","enum":["failing","keyRefused"]},"failing":{"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":32}},"off":{"type":"string","minLength":1,"maxLength":32},"rejecting":{"type":"array","maxItems":64,"items":{"$ref":"VenueRejecting"}}},"additionalProperties":false,"$id":"VenueHealth"};
const schema140 = {"type":"object","required":["call","check"],"properties":{"call":{"type":"string","minLength":1,"maxLength":32},"check":{"type":"string","minLength":1,"maxLength":100},"chainId":{"type":"integer","format":"int32","minimum":-2,"maximum":2147483647}},"additionalProperties":false,"$id":"VenueRejecting"};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="VenueHealth" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.healthy === undefined) && (missing0 = "healthy"))){
validate140.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "id") || (key0 === "name")) || (key0 === "healthy")) || (key0 === "reason")) || (key0 === "failing")) || (key0 === "off")) || (key0 === "rejecting"))){
validate140.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func3(data0) > 64){
validate140.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data0) < 1){
validate140.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern0.test(data0)){
validate140.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""}];
return false;
}
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/id",schemaPath:"VenueId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func3(data1) > 64){
validate140.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"}];
return false;
}
else {
if(func3(data1) < 1){
validate140.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.healthy !== undefined){
const _errs7 = errors;
if(typeof data.healthy !== "boolean"){
validate140.errors = [{instancePath:instancePath+"/healthy",schemaPath:"#/properties/healthy/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reason !== undefined){
let data3 = data.reason;
const _errs9 = errors;
if(typeof data3 !== "string"){
validate140.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data3 === "failing") || (data3 === "keyRefused"))){
validate140.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/enum",keyword:"enum",params:{allowedValues: schema138.properties.reason.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failing !== undefined){
let data4 = data.failing;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data4)){
if(data4.length > 16){
validate140.errors = [{instancePath:instancePath+"/failing",schemaPath:"#/properties/failing/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs13 = errors;
if(errors === _errs13){
if(typeof data5 === "string"){
if(func3(data5) > 32){
validate140.errors = [{instancePath:instancePath+"/failing/" + i0,schemaPath:"#/properties/failing/items/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate140.errors = [{instancePath:instancePath+"/failing/" + i0,schemaPath:"#/properties/failing/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/failing/" + i0,schemaPath:"#/properties/failing/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs13 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/failing",schemaPath:"#/properties/failing/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.off !== undefined){
let data6 = data.off;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data6 === "string"){
if(func3(data6) > 32){
validate140.errors = [{instancePath:instancePath+"/off",schemaPath:"#/properties/off/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
else {
if(func3(data6) < 1){
validate140.errors = [{instancePath:instancePath+"/off",schemaPath:"#/properties/off/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/off",schemaPath:"#/properties/off/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rejecting !== undefined){
let data7 = data.rejecting;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data7)){
if(data7.length > 64){
validate140.errors = [{instancePath:instancePath+"/rejecting",schemaPath:"#/properties/rejecting/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid3 = true;
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
let data8 = data7[i1];
const _errs19 = errors;
const _errs20 = errors;
if(errors === _errs20){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
let missing1;
if(((data8.call === undefined) && (missing1 = "call")) || ((data8.check === undefined) && (missing1 = "check"))){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1,schemaPath:"VenueRejecting/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs22 = errors;
for(const key1 in data8){
if(!(((key1 === "call") || (key1 === "check")) || (key1 === "chainId"))){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1,schemaPath:"VenueRejecting/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs22 === errors){
if(data8.call !== undefined){
let data9 = data8.call;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data9 === "string"){
if(func3(data9) > 32){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/call",schemaPath:"VenueRejecting/properties/call/maxLength",keyword:"maxLength",params:{limit: 32},message:"must NOT have more than 32 characters"}];
return false;
}
else {
if(func3(data9) < 1){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/call",schemaPath:"VenueRejecting/properties/call/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/call",schemaPath:"VenueRejecting/properties/call/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs23 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data8.check !== undefined){
let data10 = data8.check;
const _errs25 = errors;
if(errors === _errs25){
if(typeof data10 === "string"){
if(func3(data10) > 100){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/check",schemaPath:"VenueRejecting/properties/check/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func3(data10) < 1){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/check",schemaPath:"VenueRejecting/properties/check/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/check",schemaPath:"VenueRejecting/properties/check/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs25 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data8.chainId !== undefined){
let data11 = data8.chainId;
const _errs27 = errors;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/chainId",schemaPath:"VenueRejecting/properties/chainId/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs27){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 2147483647 || isNaN(data11)){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/chainId",schemaPath:"VenueRejecting/properties/chainId/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647"}];
return false;
}
else {
if(data11 < -2 || isNaN(data11)){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/chainId",schemaPath:"VenueRejecting/properties/chainId/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2},message:"must be >= -2"}];
return false;
}
else {
if(!(formats0.validate(data11))){
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1+"/chainId",schemaPath:"VenueRejecting/properties/chainId/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""}];
return false;
}
}
}
}
}
var valid5 = _errs27 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/rejecting/" + i1,schemaPath:"VenueRejecting/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs19 === errors;
if(!valid3){
break;
}
}
}
}
else {
validate140.errors = [{instancePath:instancePath+"/rejecting",schemaPath:"#/properties/rejecting/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate140.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate140.errors = vErrors;
return errors === 0;
}


function validate139(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Health" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.status === undefined) && (missing0 = "status")) || ((data.venues === undefined) && (missing0 = "venues"))){
validate139.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "status") || (key0 === "venues"))){
validate139.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate139.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data0 === "ok") || (data0 === "degraded"))){
validate139.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema137.properties.status.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.venues !== undefined){
let data1 = data.venues;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
if(data1.length > 64){
validate139.errors = [{instancePath:instancePath+"/venues",schemaPath:"#/properties/venues/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate140(data1[i0], {instancePath:instancePath+"/venues/" + i0,parentData:data1,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate139.errors = [{instancePath:instancePath+"/venues",schemaPath:"#/properties/venues/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate139.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate139.errors = vErrors;
return errors === 0;
}


function validate138(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="HealthResponse" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.data === undefined) && (missing0 = "data")) || ((data.meta === undefined) && (missing0 = "meta"))){
validate138.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "data") || (key0 === "meta"))){
validate138.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.data !== undefined){
const _errs2 = errors;
if(!(validate139(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData}))){
vErrors = vErrors === null ? validate139.errors : vErrors.concat(validate139.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.meta !== undefined){
const _errs3 = errors;
if(!(validate32(data.meta, {instancePath:instancePath+"/meta",parentData:data,parentDataProperty:"meta",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate138.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate138.errors = vErrors;
return errors === 0;
}
return compiled;
})();

exports.requests = {
  quote: { body: bodies.QuoteRequest, params: params.quote },
  execute: { body: bodies.ExecuteRequest, params: params.execute },
  submitSignature: { body: bodies.SubmitSignatureRequest, params: params.submitSignature },
  submitTransaction: { body: bodies.SubmitTransactionRequest, params: params.submitTransaction },
  status: { body: null, params: params.status },
  x402Quote: { body: bodies.QuoteRequest, params: params.x402Quote },
  x402Execute: { body: bodies.ExecuteRequest, params: params.x402Execute },
  x402SubmitSignature: { body: bodies.SubmitSignatureRequest, params: params.x402SubmitSignature },
  x402SubmitTransaction: { body: bodies.SubmitTransactionRequest, params: params.x402SubmitTransaction },
  x402Status: { body: null, params: params.x402Status },
  resolveToken: { body: null, params: params.resolveToken },
  btcCoverage: { body: null, params: params.btcCoverage },
  chains: { body: null, params: params.chains },
  createKey: { body: bodies.CreateKeyRequest, params: params.createKey },
  updateKey: { body: bodies.UpdateKeyRequest, params: params.updateKey },
  readKey: { body: null, params: params.readKey },
  keyEvents: { body: null, params: params.keyEvents },
  webhookTest: { body: null, params: params.webhookTest },
  health: { body: null, params: params.health },
};

exports.responses = {
  quote: { 200: responseBodies.QuoteResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 404: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.OverloadedResponse },
  execute: { 200: responseBodies.ExecuteResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 410: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 422: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 502: responseBodies.ErrorResponse, 503: responseBodies.OverloadedResponse },
  submitSignature: { 200: responseBodies.SubmitSignatureResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 410: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.OverloadedResponse },
  submitTransaction: { 200: responseBodies.SubmitTransactionResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 422: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 502: responseBodies.ErrorResponse, 503: responseBodies.OverloadedResponse },
  status: { 200: responseBodies.StatusResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.OverloadedResponse },
  x402Quote: { 200: responseBodies.QuoteResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 402: responseBodies.PaymentErrorResponse, 404: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.PaymentUnavailableResponse },
  x402Execute: { 200: responseBodies.ExecuteResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 402: responseBodies.PaymentErrorResponse, 410: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 422: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 502: responseBodies.ErrorResponse, 503: responseBodies.PaymentUnavailableResponse },
  x402SubmitSignature: { 200: responseBodies.SubmitSignatureResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 402: responseBodies.PaymentErrorResponse, 410: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.PaymentUnavailableResponse },
  x402SubmitTransaction: { 200: responseBodies.SubmitTransactionResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 402: responseBodies.PaymentErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 422: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 502: responseBodies.ErrorResponse, 503: responseBodies.PaymentUnavailableResponse },
  x402Status: { 200: responseBodies.StatusResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 402: responseBodies.PaymentErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse, 503: responseBodies.PaymentUnavailableResponse },
  resolveToken: { 200: responseBodies.ResolveTokenResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  btcCoverage: { 200: responseBodies.BtcCoverageResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  chains: { 200: responseBodies.ChainsResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  createKey: { 201: responseBodies.CreateKeyResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  updateKey: { 200: responseBodies.UpdateKeyResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 404: responseBodies.ErrorResponse, 413: responseBodies.ErrorResponse, 415: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  readKey: { 200: responseBodies.ReadKeyResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  keyEvents: { 200: responseBodies.KeyEventsResponse, 400: responseBodies.ErrorResponse, 401: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  webhookTest: { 200: responseBodies.WebhookTestResponse, 401: responseBodies.ErrorResponse, 404: responseBodies.ErrorResponse, 429: responseBodies.ErrorResponse, 500: responseBodies.ErrorResponse },
  health: { 200: responseBodies.HealthResponse },
};

exports.requestValidators = {
  quote: [bodies.quote, params.quote],
  execute: [bodies.execute, params.execute],
  submitSignature: [bodies.submitSignature, params.submitSignature],
  submitTransaction: [bodies.submitTransaction, params.submitTransaction],
  status: [params.status],
  x402Quote: [bodies.x402Quote, params.x402Quote],
  x402Execute: [bodies.x402Execute, params.x402Execute],
  x402SubmitSignature: [bodies.x402SubmitSignature, params.x402SubmitSignature],
  x402SubmitTransaction: [bodies.x402SubmitTransaction, params.x402SubmitTransaction],
  x402Status: [params.x402Status],
  resolveToken: [params.resolveToken],
  btcCoverage: [params.btcCoverage],
  chains: [params.chains],
  createKey: [bodies.createKey, params.createKey],
  updateKey: [bodies.updateKey, params.updateKey],
  readKey: [params.readKey],
  keyEvents: [params.keyEvents],
  webhookTest: [params.webhookTest],
  health: [params.health],
};

exports.responseValidators = exports.responses;
